-- The relations of information_schema that hold something. A view called _some_x gives some columns of
-- x; the rest, in relations.txt, are NULL.

CREATE VIEW memory.pgi._namespace AS
SELECT oid, nspname FROM memory.pgc.pg_namespace WHERE nspname <> 'pg_toast';

CREATE VIEW memory.pgi.information_schema_catalog_name AS SELECT memory.pgc.current_database() AS catalog_name;

CREATE VIEW memory.pgi._some_schemata AS
SELECT memory.pgc.current_database() AS catalog_name, nspname AS schema_name, memory.pgc."current_user"() AS schema_owner
FROM memory.pgc.pg_namespace;

CREATE VIEW memory.pgi._some_tables AS
SELECT memory.pgc.current_database() AS table_catalog, c.nspname AS table_schema, c.relname AS table_name,
  CASE WHEN c.relkind = 'v' THEN 'VIEW' WHEN c.temporary THEN 'LOCAL TEMPORARY' ELSE 'BASE TABLE' END AS table_type,
  CASE WHEN c.relkind = 'r' AND c.nspname NOT IN ('pg_catalog', 'information_schema') THEN 'YES' ELSE 'NO' END AS is_insertable_into,
  'NO' AS is_typed, CASE WHEN c.temporary THEN 'PRESERVE' END AS commit_action
FROM memory.pgc._class AS c WHERE c.relkind IN ('r', 'v');

CREATE VIEW memory.pgi.views AS
SELECT memory.pgc.current_database() AS table_catalog, c.nspname AS table_schema, c.relname AS table_name, d.definition AS view_definition,
  'NONE' AS check_option, 'NO' AS is_updatable, 'NO' AS is_insertable_into, 'NO' AS is_trigger_updatable, 'NO' AS is_trigger_deletable,
  'NO' AS is_trigger_insertable_into
FROM memory.pgc._class AS c LEFT JOIN memory.pgc._viewdef AS d ON d.oid = c.oid
WHERE c.relkind = 'v';

CREATE VIEW memory.pgi._some_columns AS
SELECT memory.pgc.current_database() AS table_catalog, c.nspname AS table_schema, c.relname AS table_name, a.attname AS column_name,
  a.attnum::INTEGER AS ordinal_position, CASE WHEN a.attgenerated = '' THEN d.column_default END AS column_default,
  CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS is_nullable,
  CASE WHEN t.typcategory = 'A' THEN 'ARRAY' ELSE t.display END AS data_type,
  CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 0 THEN a.atttypmod - 4 END::INTEGER AS character_maximum_length,
  CASE WHEN a.atttypid IN (25, 1042, 1043) THEN 1073741824 END::INTEGER AS character_octet_length,
  CASE a.atttypid WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53
    WHEN 1700 THEN CASE WHEN a.atttypmod > 0 THEN (a.atttypmod - 4) >> 16 END END::INTEGER AS numeric_precision,
  CASE WHEN a.atttypid IN (21, 23, 20, 700, 701) THEN 2 WHEN a.atttypid = 1700 THEN 10 END::INTEGER AS numeric_precision_radix,
  CASE WHEN a.atttypid IN (21, 23, 20) THEN 0 WHEN a.atttypid = 1700 AND a.atttypmod > 0 THEN (a.atttypmod - 4) & 2047 END::INTEGER AS numeric_scale,
  CASE WHEN a.atttypid = 1082 THEN 0 WHEN a.atttypid IN (1083, 1114, 1184, 1186, 1266) THEN 6 END::INTEGER AS datetime_precision,
  memory.pgc.current_database() AS udt_catalog,
  'pg_catalog' AS udt_schema, t.typname AS udt_name, a.attnum::VARCHAR AS dtd_identifier, 'NO' AS is_self_referencing, 'NO' AS is_identity,
  'NO' AS identity_cycle, CASE WHEN a.attgenerated = '' THEN 'NEVER' ELSE 'ALWAYS' END AS is_generated,
  CASE WHEN a.attgenerated <> '' THEN d.column_default END AS generation_expression,
  CASE WHEN c.relkind = 'r' AND a.attgenerated = '' THEN 'YES' ELSE 'NO' END AS is_updatable
FROM memory.pgc._attribute AS a
JOIN memory.pgc._class AS c ON c.oid = a.attrelid
LEFT JOIN memory.pgc._column AS d ON d.attrelid = a.attrelid AND d.attnum = a.attnum
LEFT JOIN memory.pgc._type AS t ON t.oid = a.atttypid
WHERE c.relkind IN ('r', 'v');

-- The constraints with their tables, for the views below.
CREATE VIEW memory.pgi._constraint AS
SELECT k.*, memory.pgc._nspname(k.database_name, k.schema_name) AS nspname FROM memory.pgc._constraint AS k;

CREATE VIEW memory.pgi.table_constraints AS
SELECT memory.pgc.current_database() AS constraint_catalog, nspname AS constraint_schema, conname AS constraint_name,
  memory.pgc.current_database() AS table_catalog, nspname AS table_schema, table_name,
  CASE contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' WHEN 'f' THEN 'FOREIGN KEY' ELSE 'CHECK' END AS constraint_type,
  'NO' AS is_deferrable, 'NO' AS initially_deferred, 'YES' AS enforced, CASE WHEN contype = 'u' THEN 'YES' END AS nulls_distinct
FROM memory.pgi._constraint
UNION ALL
SELECT memory.pgc.current_database(), nspname, schema_oid || '_' || attrelid || '_' || attnum || '_not_null', memory.pgc.current_database(), nspname,
  table_name, 'CHECK', 'NO', 'NO', 'YES', NULL
FROM (SELECT *, memory.pgc._nspname(database_name, schema_name) AS nspname FROM memory.pgc._column WHERE attnotnull);

CREATE VIEW memory.pgi._key_column AS
SELECT k.*, c.attname, c.attnum, u.n, u.referenced_name FROM (
  SELECT oid, unnest(conkey) AS conkey_attnum, generate_subscripts(conkey, 1) AS n,
    unnest(CASE WHEN contype = 'f' THEN referenced_column_names ELSE columns END) AS referenced_name FROM memory.pgi._constraint) AS u
JOIN memory.pgi._constraint AS k ON k.oid = u.oid
JOIN memory.pgc._column AS c ON c.attrelid = k.conrelid AND c.attnum = u.conkey_attnum;

CREATE VIEW memory.pgi.key_column_usage AS
SELECT memory.pgc.current_database() AS constraint_catalog, k.nspname AS constraint_schema, k.conname AS constraint_name,
  memory.pgc.current_database() AS table_catalog, k.nspname AS table_schema, k.table_name, k.attname AS column_name, k.n::INTEGER AS ordinal_position,
  CASE WHEN k.contype = 'f' THEN list_position(r.confkey_names, k.referenced_name) END::INTEGER AS position_in_unique_constraint
FROM memory.pgi._key_column AS k
LEFT JOIN (SELECT f.constraint_oid, u.columns AS confkey_names FROM memory.pgc._referenced AS f
  JOIN memory.pgc._constraint AS u ON u.indexrelid = f.indexrelid AND u.contype IN ('p', 'u')) AS r ON r.constraint_oid = k.oid
WHERE k.contype IN ('p', 'u', 'f');

CREATE VIEW memory.pgi.constraint_column_usage AS
SELECT DISTINCT memory.pgc.current_database() AS table_catalog, nspname AS table_schema,
  CASE WHEN contype = 'f' THEN referenced_table ELSE table_name END AS table_name,
  CASE WHEN contype = 'f' THEN referenced_name ELSE attname END AS column_name,
  memory.pgc.current_database() AS constraint_catalog, nspname AS constraint_schema, conname AS constraint_name
FROM memory.pgi._key_column;

CREATE VIEW memory.pgi.constraint_table_usage AS
SELECT memory.pgc.current_database() AS table_catalog, nspname AS table_schema,
  CASE WHEN contype = 'f' THEN referenced_table ELSE table_name END AS table_name,
  memory.pgc.current_database() AS constraint_catalog, nspname AS constraint_schema, conname AS constraint_name
FROM memory.pgi._constraint WHERE contype IN ('p', 'u', 'f');

CREATE VIEW memory.pgi.referential_constraints AS
SELECT memory.pgc.current_database() AS constraint_catalog, k.nspname AS constraint_schema, k.conname AS constraint_name,
  memory.pgc.current_database() AS unique_constraint_catalog, k.nspname AS unique_constraint_schema, u.conname AS unique_constraint_name,
  'NONE' AS match_option, 'NO ACTION' AS update_rule, 'NO ACTION' AS delete_rule
FROM memory.pgi._constraint AS k LEFT JOIN memory.pgc._referenced AS r ON r.constraint_oid = k.oid
LEFT JOIN memory.pgc._constraint AS u ON u.indexrelid = r.indexrelid AND u.contype IN ('p', 'u')
WHERE k.contype = 'f';

CREATE VIEW memory.pgi.check_constraints AS
SELECT memory.pgc.current_database() AS constraint_catalog, nspname AS constraint_schema, conname AS constraint_name, expression AS check_clause
FROM memory.pgi._constraint WHERE contype = 'c'
UNION ALL
SELECT memory.pgc.current_database(), memory.pgc._nspname(database_name, schema_name), schema_oid || '_' || attrelid || '_' || attnum || '_not_null',
  attname || ' IS NOT NULL'
FROM memory.pgc._column WHERE attnotnull;

CREATE VIEW memory.pgi.sequences AS
SELECT memory.pgc.current_database() AS sequence_catalog, memory.pgc._nspname(database_name, schema_name) AS sequence_schema,
  sequence_name, 'bigint' AS data_type, 64::INTEGER AS numeric_precision, 2::INTEGER AS numeric_precision_radix, 0::INTEGER AS numeric_scale,
  start_value::VARCHAR AS start_value, min_value::VARCHAR AS minimum_value, max_value::VARCHAR AS maximum_value, increment_by::VARCHAR AS "increment",
  CASE WHEN cycle THEN 'YES' ELSE 'NO' END AS cycle_option
FROM duckdb_sequences() WHERE memory.pgc._shown(database_name, schema_name, sequence_name);

CREATE VIEW memory.pgi.enabled_roles AS SELECT memory.pgc."current_user"() AS role_name;

CREATE VIEW memory.pgi._some_character_sets AS
SELECT 'UTF8' AS character_set_name, 'UCS' AS character_repertoire,
  'UTF8' AS form_of_use, memory.pgc.current_database() AS default_collate_catalog, 'pg_catalog' AS default_collate_schema, 'C' AS default_collate_name;

CREATE VIEW memory.pgi._privilege AS SELECT unnest(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS privilege_type;

CREATE VIEW memory.pgi.table_privileges AS
SELECT memory.pgc."current_user"() AS grantor, memory.pgc."current_user"() AS grantee, t.table_catalog, t.table_schema, t.table_name, p.privilege_type,
  'YES' AS is_grantable, CASE WHEN p.privilege_type = 'SELECT' THEN 'YES' ELSE 'NO' END AS with_hierarchy
FROM memory.pgi._some_tables AS t, memory.pgi._privilege AS p WHERE p.privilege_type = 'SELECT' OR t.is_insertable_into = 'YES';
CREATE VIEW memory.pgi.role_table_grants AS SELECT * FROM memory.pgi.table_privileges;

CREATE VIEW memory.pgi._some_routines AS
SELECT memory.pgc.current_database() AS specific_catalog, n.nspname AS specific_schema, p.proname || '_' || p.oid AS specific_name,
  memory.pgc.current_database() AS routine_catalog, n.nspname AS routine_schema, p.proname AS routine_name, 'FUNCTION' AS routine_type,
  memory.pgc.format_type(p.prorettype, NULL) AS data_type,
  memory.pgc.current_database() AS type_udt_catalog, 'pg_catalog' AS type_udt_schema, t.typname AS type_udt_name, '0' AS dtd_identifier,
  CASE WHEN p.prolang = 14 THEN 'SQL' ELSE 'EXTERNAL' END AS routine_body, p.prosrc AS routine_definition, CASE WHEN p.prolang = 14 THEN 'SQL' ELSE 'INTERNAL' END AS external_language, 'GENERAL' AS parameter_style,
  CASE WHEN p.provolatile = 'i' THEN 'YES' ELSE 'NO' END AS is_deterministic, 'MODIFIES' AS sql_data_access,
  CASE WHEN p.proisstrict THEN 'YES' ELSE 'NO' END AS is_null_call, 'YES' AS schema_level_routine,
  0::INTEGER AS max_dynamic_result_sets, 'INVOKER' AS security_type,
  'NO' AS as_locator,
  'NO' AS is_udt_dependent
FROM memory.pgc.pg_proc AS p JOIN memory.pgi._namespace AS n ON n.oid = p.pronamespace LEFT JOIN memory.pgc._type AS t ON t.oid = p.prorettype;
