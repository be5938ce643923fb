-- What the views are made of: the mapping of types, and one view each over DuckDB's own columns,
-- constraints and indexes of the user's database and the session's temporary tables.
-- An OID of the user's objects is DuckDB's own, which lies above 16384, is one series for all kinds,
-- and stays when an object is renamed or altered. What has none in DuckDB gets one derived from its
-- table's: constraints from 2^29, the indexes of constraints from 2^30, defaults from 1.5 * 2^30,
-- array types of the user's types from 1.75 * 2^30.

CREATE TABLE memory.pgc._duck_type(duck VARCHAR, oid INTEGER, array_oid INTEGER, typmod INTEGER);
INSERT INTO memory.pgc._duck_type VALUES
('BOOLEAN', 16, 1000, -1),
('TINYINT', 21, 1005, -1), ('UTINYINT', 21, 1005, -1), ('SMALLINT', 21, 1005, -1),
('USMALLINT', 23, 1007, -1), ('INTEGER', 23, 1007, -1),
('UINTEGER', 20, 1016, -1), ('BIGINT', 20, 1016, -1),
('UBIGINT', 1700, 1231, 1310724), ('HUGEINT', 1700, 1231, -1), ('UHUGEINT', 1700, 1231, -1), ('BIGNUM', 1700, 1231, -1),
('DECIMAL', 1700, 1231, -1),
('FLOAT', 700, 1021, -1), ('DOUBLE', 701, 1022, -1),
('VARCHAR', 25, 1009, -1), ('ENUM', 25, 1009, -1), ('"NULL"', 25, 1009, -1),
('BLOB', 17, 1001, -1), ('GEOMETRY', 17, 1001, -1), ('UUID', 2950, 2951, -1), ('BIT', 1562, 1563, -1),
('DATE', 1082, 1182, -1), ('TIME', 1083, 1183, -1), ('TIME_NS', 1083, 1183, -1), ('TIME WITH TIME ZONE', 1266, 1270, -1),
('TIMESTAMP', 1114, 1115, -1), ('TIMESTAMP_S', 1114, 1115, -1), ('TIMESTAMP_MS', 1114, 1115, -1), ('TIMESTAMP_NS', 1114, 1115, -1),
('TIMESTAMP WITH TIME ZONE', 1184, 1185, -1), ('INTERVAL', 1186, 1187, -1),
('JSON', 114, 199, -1), ('STRUCT', 114, 199, -1), ('MAP', 114, 199, -1), ('UNION', 114, 199, -1), ('VARIANT', 114, 199, -1);

CREATE VIEW memory.pgc._lookup_duck_type AS
SELECT d.duck AS _duck, false AS _array, t.display AS _display FROM memory.pgc._duck_type AS d JOIN memory.pgc._type AS t ON t.oid = d.oid
UNION ALL SELECT d.duck, true, t.display FROM memory.pgc._duck_type AS d JOIN memory.pgc._type AS t ON t.oid = d.array_oid;

-- The session's settings, lower-case name to value.
CREATE MACRO memory.pgc._settings() AS getvariable('pgc_settings')::MAP(VARCHAR, VARCHAR);

-- The schema that a relation of DuckDB's is in, as Postgres users know it.
CREATE MACRO memory.pgc._nspname(db, schema_name) AS
  CASE WHEN db = 'temp' THEN 'pg_temp_1' WHEN schema_name = 'main' THEN 'public' ELSE schema_name END;
CREATE MACRO memory.pgc._nspoid(db, schema_name, schema_oid) AS
  CASE WHEN db <> 'temp' AND schema_name = 'main' THEN 2200 ELSE schema_oid END::INTEGER;

-- What is the user's to see: of schema sessiondb only the three relations that the contract names.
CREATE MACRO memory.pgc._shown(db, schema_name, relation) AS
  db IN ('sessiondb_data', 'temp') AND (schema_name <> 'sessiondb' OR relation IN ('views', 'watermarks', 'commits'));

-- The schemas of the search path, as the planner read it.
CREATE MACRO memory.pgc._search_path() AS coalesce(getvariable('pgc_path')::VARCHAR[], ['public']);
CREATE MACRO memory.pgc._visible(nspname) AS
  nspname IN ('pg_catalog', 'pg_temp_1') OR list_contains(memory.pgc._search_path(), nspname);

-- A name as Postgres prints it: quoted unless it is a plain lower-case word that is no keyword.
CREATE MACRO memory.pgc._keywords() AS '
|all|analyse|analyze|and|any|array|as|asc|asymmetric|authorization|between|bigint|binary|bit|boolean|both|case|cast|char|
|character|check|coalesce|collate|collation|column|concurrently|constraint|create|cross|current_catalog|current_date|
|current_role|current_schema|current_time|current_timestamp|current_user|dec|decimal|default|deferrable|desc|distinct|do|else|
|end|except|exists|extract|false|fetch|float|for|foreign|freeze|from|full|grant|greatest|group|grouping|having|ilike|in|
|initially|inner|inout|int|integer|intersect|interval|into|is|isnull|join|lateral|leading|least|left|like|limit|localtime|
|localtimestamp|national|natural|nchar|none|normalize|not|notnull|null|nullif|numeric|offset|on|only|or|order|out|outer|
|overlaps|overlay|placing|position|precision|primary|real|references|returning|right|row|select|session_user|setof|similar|
|smallint|some|substring|symmetric|table|tablesample|then|time|timestamp|to|trailing|treat|trim|true|union|unique|user|using|
|values|varchar|variadic|verbose|when|where|window|with|xmlattributes|xmlconcat|xmlelement|xmlexists|xmlforest|xmlnamespaces|
|xmlparse|xmlpi|xmlroot|xmlserialize|xmltable|';
CREATE MACRO memory.pgc._quote(s) AS
  CASE WHEN regexp_full_match(s, '[a-z_][a-z0-9_$]*') AND NOT contains(memory.pgc._keywords(), '|' || s || '|')
  THEN s ELSE '"' || replace(s, '"', '""') || '"' END;
CREATE MACRO memory.pgc._qualified(nspname, relname) AS
  CASE WHEN memory.pgc._visible(nspname) THEN '' ELSE memory.pgc._quote(nspname) || '.' END || memory.pgc._quote(relname);

-- A list of lists is sent as json, since it may be ragged; DuckDB's arrays, whose length is fixed, are arrays in Postgres.
CREATE VIEW memory.pgc._column AS
SELECT c.table_oid::INTEGER AS attrelid, c.column_name AS attname, c.column_index::SMALLINT AS attnum,
  c.database_name, c.schema_name, c.schema_oid, c.table_name, c.column_default, NOT c.is_nullable AS attnotnull, c.comment, c.data_type,
  CASE WHEN c.json THEN 0 ELSE c.dims END::SMALLINT AS attndims,
  coalesce(CASE WHEN c.json THEN 114 WHEN c.dims = 0 THEN d.oid ELSE d.array_oid END, 25)::INTEGER AS atttypid,
  CASE WHEN c.base = 'DECIMAL'
    THEN (regexp_extract(c.data_type, '\((\d+),', 1)::INTEGER << 16) + regexp_extract(c.data_type, ',(\d+)\)', 1)::INTEGER + 4
    ELSE coalesce(d.typmod, -1) END::INTEGER AS atttypmod
FROM (
  SELECT *, len(string_split(brackets, '[')) - 1 AS dims,
    brackets <> '' AND base IN ('STRUCT', 'MAP', 'UNION', 'VARIANT') OR contains(brackets, '[][') AS json
  FROM (
    SELECT *, trim(regexp_extract(data_type, '^("NULL"|[A-Z_0-9 ]+)')) AS base, regexp_extract(data_type, '(\[\d*\])*$') AS brackets
    FROM duckdb_columns() WHERE NOT internal)) AS c
LEFT JOIN memory.pgc._duck_type AS d ON d.duck = c.base
WHERE memory.pgc._shown(c.database_name, c.schema_name, c.table_name);

-- NOT NULL is a column's matter in Postgres 15. place is the constraint's place in its table, base the
-- name that Postgres would choose; of equal names all but the first get a number.
CREATE VIEW memory.pgc._plain_constraint AS
SELECT table_oid::INTEGER AS conrelid, table_name, database_name, schema_name, schema_oid, constraint_column_indexes, constraint_column_names AS columns,
  constraint_text, expression, referenced_table, referenced_column_names, row_number() OVER (PARTITION BY table_oid ORDER BY constraint_index) - 1 AS place,
  CASE constraint_type WHEN 'PRIMARY KEY' THEN 'p' WHEN 'UNIQUE' THEN 'u' WHEN 'FOREIGN KEY' THEN 'f' ELSE 'c' END AS contype,
  table_name || CASE constraint_type
    WHEN 'PRIMARY KEY' THEN '_pkey'
    WHEN 'UNIQUE' THEN '_' || array_to_string(constraint_column_names, '_') || '_key'
    WHEN 'FOREIGN KEY' THEN '_' || array_to_string(constraint_column_names, '_') || '_fkey'
    ELSE CASE WHEN len(list_distinct(constraint_column_names)) = 1 THEN '_' || constraint_column_names[1] ELSE '' END || '_check' END AS base
FROM duckdb_constraints()
WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY', 'CHECK') AND memory.pgc._shown(database_name, schema_name, table_name);

-- The keys, whose names differ by themselves; indexrelid is the index that enforces one.
CREATE VIEW memory.pgc._key AS
SELECT (1073741824 + conrelid::BIGINT * 128 + place)::INTEGER AS indexrelid, base AS relname, conrelid AS indrelid, table_name,
  database_name, schema_name, schema_oid, contype = 'p' AS is_primary, columns
FROM memory.pgc._plain_constraint WHERE contype IN ('p', 'u');

CREATE VIEW memory.pgc._constraint AS
SELECT (536870912 + k.conrelid::BIGINT * 128 + k.place)::INTEGER AS oid,
  k.base || CASE WHEN k.same > 1 THEN (k.same - 1)::VARCHAR ELSE '' END AS conname,
  k.conrelid, k.table_name, k.database_name, k.schema_name, k.schema_oid, k.contype,
  list_transform(k.constraint_column_indexes, lambda i: (i + 1)::SMALLINT) AS conkey, k.columns, k.expression, k.referenced_table,
  k.referenced_column_names, CASE WHEN k.contype IN ('p', 'u') THEN 1073741824 + k.conrelid::BIGINT * 128 + k.place ELSE 0 END::INTEGER AS indexrelid
FROM (SELECT *, row_number() OVER (PARTITION BY database_name, schema_name, base ORDER BY conrelid, place) AS same FROM memory.pgc._plain_constraint) AS k;

-- Every index: those the user made, and those that a constraint implies. displays are its columns and
-- expressions as they are written, keys the same with the columns' plain names.
CREATE VIEW memory.pgc._index AS
SELECT index_oid::INTEGER AS indexrelid, index_name AS relname, table_oid::INTEGER AS indrelid, table_name,
  database_name, schema_name, schema_oid, is_unique, is_primary, comment, false AS implied,
  expressions::VARCHAR[] AS displays, list_transform(displays, lambda e: CASE WHEN e[1] = '"' THEN replace(e[2:-2], '""', '"') ELSE e END) AS keys
FROM duckdb_indexes() WHERE memory.pgc._shown(database_name, schema_name, table_name)
UNION ALL
SELECT indexrelid, relname, indrelid, table_name, database_name, schema_name, schema_oid, true, is_primary, NULL, true,
  list_transform(columns, lambda c: memory.pgc._quote(c)), columns
FROM memory.pgc._key;

-- The keys of indexes, one row each.
CREATE VIEW memory.pgc._index_key AS
SELECT k.indexrelid, k.indrelid, k.n::SMALLINT AS attnum, k.key, coalesce(c.attnum, 0)::SMALLINT AS indkey,
  coalesce(c.atttypid, 25)::INTEGER AS atttypid, coalesce(c.atttypmod, -1)::INTEGER AS atttypmod, coalesce(c.attndims, 0)::SMALLINT AS attndims
FROM (SELECT indexrelid, indrelid, unnest(keys) AS key, generate_subscripts(keys, 1) AS n FROM memory.pgc._index) AS k
LEFT JOIN memory.pgc._column AS c ON c.attrelid = k.indrelid AND c.attname = k.key;
