-- The relations of pg_catalog that hold something, each with the columns of PostgreSQL 15, in order. A view
-- called _some_x gives some columns of x; the rest, in relations.txt, are NULL.

CREATE VIEW memory.pgc.pg_namespace AS
SELECT memory.pgc._nspoid(database_name, schema_name, oid) AS oid, memory.pgc._nspname(database_name, schema_name) AS nspname,
  10::INTEGER AS nspowner, NULL::VARCHAR[] AS nspacl
FROM duckdb_schemas()
WHERE database_name = 'sessiondb_data'
  OR database_name = 'temp' AND EXISTS (SELECT 1 FROM duckdb_tables() WHERE temporary UNION ALL SELECT 1 FROM duckdb_views() WHERE temporary AND NOT internal)
UNION ALL
SELECT DISTINCT relnamespace, nspname, 10::INTEGER, NULL FROM memory.pgc._relation
UNION ALL
SELECT 99::INTEGER, 'pg_toast', 10::INTEGER, NULL;

CREATE VIEW memory.pgc._class AS
SELECT table_oid::INTEGER AS oid, table_name AS relname, memory.pgc._nspoid(database_name, schema_name, schema_oid) AS relnamespace,
  memory.pgc._nspname(database_name, schema_name) AS nspname, 'r' AS relkind, temporary, column_count AS natts, estimated_size AS tuples,
  index_count > 0 AS hasindex, check_constraint_count AS checks, true AS populated, comment
FROM duckdb_tables() WHERE memory.pgc._shown(database_name, schema_name, table_name) AND NOT (schema_name = 'sessiondb' AND NOT temporary)
UNION ALL
SELECT v.view_oid, v.view_name, memory.pgc._nspoid(v.database_name, v.schema_name, v.schema_oid), memory.pgc._nspname(v.database_name, v.schema_name),
  CASE WHEN m.view_name IS NULL THEN 'v' ELSE 'm' END, v.temporary, v.column_count, -1, false, 0, coalesce(m.populated, true), v.comment
FROM duckdb_views() AS v
LEFT JOIN sessiondb_data.sessiondb.view_definitions AS m
  ON m.schema_name = v.schema_name AND m.view_name = v.view_name AND v.database_name = 'sessiondb_data'
WHERE NOT v.internal AND memory.pgc._shown(v.database_name, v.schema_name, v.view_name)
UNION ALL
SELECT sequence_oid, sequence_name, memory.pgc._nspoid(database_name, schema_name, schema_oid), memory.pgc._nspname(database_name, schema_name),
  'S', temporary, 3, 1, false, 0, true, comment
FROM duckdb_sequences() WHERE memory.pgc._shown(database_name, schema_name, sequence_name)
UNION ALL
SELECT index_oid, index_name, memory.pgc._nspoid(database_name, schema_name, schema_oid), memory.pgc._nspname(database_name, schema_name),
  'i', database_name = 'temp', len(expressions::VARCHAR[]), -1, false, 0, true, comment
FROM duckdb_indexes() WHERE memory.pgc._shown(database_name, schema_name, table_name)
UNION ALL
SELECT indexrelid, relname, memory.pgc._nspoid(database_name, schema_name, schema_oid), memory.pgc._nspname(database_name, schema_name),
  'i', database_name = 'temp', len(columns), -1, false, 0, true, NULL
FROM memory.pgc._key
UNION ALL
SELECT oid, relname, relnamespace, nspname, relkind, false, natts, -1, false, 0, true, NULL FROM memory.pgc._relation;

-- relhastriggers may be true without need; clients ask for foreign keys where it is.
CREATE VIEW memory.pgc.pg_class AS
SELECT oid::INTEGER AS oid, relname, relnamespace, 0::INTEGER AS reltype, 0::INTEGER AS reloftype, 10::INTEGER AS relowner,
  CASE WHEN relkind IN ('r', 'm') THEN 2 WHEN relkind = 'i' THEN 403 ELSE 0 END::INTEGER AS relam,
  CASE WHEN relkind = 'v' THEN 0 ELSE oid END::INTEGER AS relfilenode, 0::INTEGER AS reltablespace, 0::INTEGER AS relpages,
  tuples::FLOAT AS reltuples, 0::INTEGER AS relallvisible, 0::INTEGER AS reltoastrelid, hasindex AS relhasindex, false AS relisshared,
  CASE WHEN temporary THEN 't' ELSE 'p' END AS relpersistence, relkind, natts::SMALLINT AS relnatts, checks::SMALLINT AS relchecks,
  relkind IN ('v', 'm') AS relhasrules,
  relkind = 'r' AND oid >= 16384 AND EXISTS (SELECT 1 FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY') AS relhastriggers, false AS relhassubclass, false AS relrowsecurity, false AS relforcerowsecurity,
  populated AS relispopulated, CASE WHEN relkind IN ('r', 'm') THEN 'd' ELSE 'n' END AS relreplident, false AS relispartition,
  0::INTEGER AS relrewrite, 0::INTEGER AS relfrozenxid, 0::INTEGER AS relminmxid, NULL::VARCHAR[] AS relacl, NULL::VARCHAR[] AS reloptions,
  NULL::VARCHAR AS relpartbound
FROM memory.pgc._class;

CREATE VIEW memory.pgc._attribute AS
SELECT attrelid, attname, attnum, atttypid, atttypmod, attndims, attnotnull, column_default IS NOT NULL AS atthasdef,
  CASE WHEN column_default IS NOT NULL AND g.sql IS NOT NULL
    AND regexp_matches(g.sql, '[(,] *(' || regexp_escape(c.attname) || '|"' || regexp_escape(c.attname) || '") (\([^()]*\)|[^(),])*GENERATED ALWAYS AS') THEN 's' ELSE '' END AS attgenerated
FROM memory.pgc._column AS c
LEFT JOIN (SELECT table_oid, sql FROM duckdb_tables() WHERE contains(sql, 'GENERATED ALWAYS AS')) AS g ON g.table_oid = c.attrelid
UNION ALL
SELECT indexrelid, CASE WHEN indkey = 0 THEN 'expr' ELSE key END, attnum, atttypid, atttypmod, attndims, false, false, '' FROM memory.pgc._index_key
UNION ALL
SELECT attrelid, attname, attnum, atttypid, -1, 0, attnotnull, false, '' FROM memory.pgc._system_column;

CREATE VIEW memory.pgc.pg_attribute AS
SELECT a.attrelid, a.attname, a.atttypid, -1::INTEGER AS attstattarget, t.typlen AS attlen, a.attnum, a.attndims::INTEGER AS attndims,
  -1::INTEGER AS attcacheoff, a.atttypmod::INTEGER AS atttypmod, t.typbyval AS attbyval, t.typalign AS attalign, t.typstorage AS attstorage,
  '' AS attcompression, a.attnotnull, a.atthasdef, false AS atthasmissing, '' AS attidentity, a.attgenerated, false AS attisdropped,
  true AS attislocal, 0::INTEGER AS attinhcount, t.typcollation AS attcollation, NULL::VARCHAR[] AS attacl, NULL::VARCHAR[] AS attoptions,
  NULL::VARCHAR[] AS attfdwoptions, NULL::VARCHAR[] AS attmissingval
FROM memory.pgc._attribute AS a LEFT JOIN memory.pgc._type AS t ON t.oid = a.atttypid;

CREATE VIEW memory.pgc.pg_attrdef AS
SELECT (1610612736 + attrelid::BIGINT * 256 + attnum)::INTEGER AS oid, attrelid AS adrelid, attnum AS adnum, column_default AS adbin
FROM memory.pgc._column WHERE column_default IS NOT NULL;

CREATE VIEW memory.pgc._enum AS
SELECT type_oid::INTEGER AS oid, type_name, memory.pgc._nspoid(database_name, schema_name, schema_oid) AS nspoid,
  memory.pgc._nspname(database_name, schema_name) AS nspname, (1879048192 + type_oid)::INTEGER AS array_oid, labels, comment
FROM duckdb_types() WHERE NOT internal AND logical_type = 'ENUM' AND database_name IN ('sessiondb_data', 'temp');

CREATE VIEW memory.pgc._all_type AS
SELECT oid, typname, 11::INTEGER AS nspoid, 'pg_catalog' AS nspname, typlen, typbyval, typtype, typcategory, typispreferred, typdelim, typsubscript,
  typelem, typarray, typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typalign, typstorage, typcollation, display
FROM memory.pgc._type
UNION ALL
SELECT oid, type_name, nspoid, nspname, 4::SMALLINT, true, 'e', 'E', false, ',', 0::INTEGER, 0::INTEGER, array_oid, 3504::INTEGER, 3505::INTEGER,
  3532::INTEGER, 3533::INTEGER, 0::INTEGER, 0::INTEGER, 0::INTEGER, 'i', 'p', 0::INTEGER, memory.pgc._qualified(nspname, type_name)
FROM memory.pgc._enum
UNION ALL
SELECT array_oid, '_' || type_name, nspoid, nspname, (-1)::SMALLINT, false, 'b', 'A', false, ',', 6179::INTEGER, oid, 0::INTEGER, 750::INTEGER, 751::INTEGER,
  2400::INTEGER, 2401::INTEGER, 0::INTEGER, 0::INTEGER, 3816::INTEGER, 'i', 'x', 0::INTEGER, memory.pgc._qualified(nspname, type_name) || '[]'
FROM memory.pgc._enum;

CREATE VIEW memory.pgc.pg_type AS
SELECT oid, typname, nspoid AS typnamespace, 10::INTEGER AS typowner, typlen, typbyval, typtype, typcategory, typispreferred, true AS typisdefined,
  typdelim, 0::INTEGER AS typrelid, typsubscript, typelem, typarray, typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze,
  typalign, typstorage, false AS typnotnull, 0::INTEGER AS typbasetype, -1::INTEGER AS typtypmod, 0::INTEGER AS typndims, typcollation,
  NULL::VARCHAR AS typdefaultbin, NULL::VARCHAR AS typdefault, NULL::VARCHAR[] AS typacl
FROM memory.pgc._all_type;

CREATE VIEW memory.pgc.pg_enum AS
SELECT (1879048192 + oid::BIGINT * 256 % 134217728 + n)::INTEGER AS oid, oid AS enumtypid, n::FLOAT AS enumsortorder, label AS enumlabel
FROM (SELECT oid, unnest(labels) AS label, generate_subscripts(labels, 1) AS n FROM memory.pgc._enum);

CREATE VIEW memory.pgc._function AS
SELECT f.function_oid::INTEGER AS oid, f.function_name AS proname, memory.pgc._nspoid(f.database_name, f.schema_name, s.oid) AS nspoid,
  f.function_type = 'table_macro' AS retset, coalesce(f.parameters, []) AS parameters, f.macro_definition, f.comment
FROM duckdb_functions() AS f JOIN duckdb_schemas() AS s ON s.database_name = f.database_name AND s.schema_name = f.schema_name
WHERE NOT f.internal AND f.function_type IN ('macro', 'table_macro') AND f.database_name IN ('sessiondb_data', 'temp') AND f.schema_name <> 'sessiondb';

CREATE VIEW memory.pgc.pg_proc AS
SELECT oid, proname, nspoid AS pronamespace, 10::INTEGER AS proowner, lang::INTEGER AS prolang, 1::FLOAT AS procost,
  CASE WHEN retset THEN 1000 ELSE 0 END::FLOAT AS prorows, 0::INTEGER AS provariadic, 0::INTEGER AS prosupport, 'f' AS prokind,
  false AS prosecdef, false AS proleakproof, strict AS proisstrict, retset AS proretset, volatile AS provolatile, parallel AS proparallel,
  len(argtypes)::SMALLINT AS pronargs, 0::SMALLINT AS pronargdefaults, rettype::INTEGER AS prorettype, argtypes AS proargtypes,
  NULL::INTEGER[] AS proallargtypes, NULL::VARCHAR[] AS proargmodes, argnames AS proargnames, NULL::VARCHAR AS proargdefaults,
  NULL::INTEGER[] AS protrftypes, src AS prosrc, NULL::VARCHAR AS probin, NULL::VARCHAR AS prosqlbody, NULL::VARCHAR[] AS proconfig,
  NULL::VARCHAR[] AS proacl
FROM (
  SELECT oid, proname, 11::INTEGER AS nspoid, 12 AS lang, false AS retset, proisstrict AS strict, provolatile AS volatile, proparallel AS parallel,
    proargtypes AS argtypes, prorettype AS rettype, NULL::VARCHAR[] AS argnames, proname AS src
  FROM memory.pgc._proc
  UNION ALL
  SELECT oid, proname, nspoid, 14, retset, false, 's', 's', list_transform(parameters, lambda p: 2283::INTEGER),
    CASE WHEN retset THEN 2249 ELSE 2283 END, parameters, macro_definition
  FROM memory.pgc._function);

CREATE VIEW memory.pgc.pg_constraint AS
SELECT k.oid, k.conname, memory.pgc._nspoid(k.database_name, k.schema_name, k.schema_oid) AS connamespace, k.contype,
  false AS condeferrable, false AS condeferred, true AS convalidated, k.conrelid, 0::INTEGER AS contypid,
  coalesce(r.indexrelid, k.indexrelid) AS conindid, 0::INTEGER AS conparentid, coalesce(r.oid, 0)::INTEGER AS confrelid,
  CASE WHEN k.contype = 'f' THEN 'a' ELSE ' ' END AS confupdtype, CASE WHEN k.contype = 'f' THEN 'a' ELSE ' ' END AS confdeltype,
  CASE WHEN k.contype = 'f' THEN 's' ELSE ' ' END AS confmatchtype, true AS conislocal, 0::INTEGER AS coninhcount,
  k.contype IN ('p', 'u', 'f') AS connoinherit, k.conkey, r.confkey, NULL::INTEGER[] AS conpfeqop, NULL::INTEGER[] AS conppeqop,
  NULL::INTEGER[] AS conffeqop, NULL::SMALLINT[] AS confdelsetcols, NULL::INTEGER[] AS conexclop, k.expression AS conbin
FROM memory.pgc._constraint AS k LEFT JOIN memory.pgc._referenced AS r ON r.constraint_oid = k.oid;

CREATE VIEW memory.pgc.pg_index AS
SELECT i.indexrelid, i.indrelid, len(i.keys)::SMALLINT AS indnatts, len(i.keys)::SMALLINT AS indnkeyatts, i.is_unique AS indisunique,
  false AS indnullsnotdistinct, i.is_primary AS indisprimary, false AS indisexclusion, true AS indimmediate, false AS indisclustered,
  true AS indisvalid, false AS indcheckxmin, true AS indisready, true AS indislive, false AS indisreplident, k.indkey,
  list_transform(i.keys, lambda e: 0::INTEGER) AS indcollation, list_transform(i.keys, lambda e: 0::INTEGER) AS indclass,
  list_transform(i.keys, lambda e: 0::SMALLINT) AS indoption,
  CASE WHEN list_contains(k.indkey, 0) THEN k.expressions END AS indexprs, NULL::VARCHAR AS indpred
FROM memory.pgc._index AS i
JOIN (SELECT indexrelid, list(indkey ORDER BY attnum) AS indkey, string_agg(key, ', ' ORDER BY attnum) FILTER (WHERE indkey = 0) AS expressions
  FROM memory.pgc._index_key GROUP BY indexrelid) AS k ON k.indexrelid = i.indexrelid;

CREATE VIEW memory.pgc.pg_indexes AS
SELECT memory.pgc._nspname(i.database_name, i.schema_name) AS schemaname, i.table_name AS tablename, i.relname AS indexname,
  NULL::VARCHAR AS tablespace, d.indexdef
FROM memory.pgc._index AS i JOIN memory.pgc._indexdef AS d ON d.indexrelid = i.indexrelid;

CREATE VIEW memory.pgc.pg_sequence AS
SELECT sequence_oid::INTEGER AS seqrelid, 20::INTEGER AS seqtypid, start_value::BIGINT AS seqstart, increment_by::BIGINT AS seqincrement,
  max_value::BIGINT AS seqmax, min_value::BIGINT AS seqmin, 1::BIGINT AS seqcache, cycle AS seqcycle
FROM duckdb_sequences() WHERE memory.pgc._shown(database_name, schema_name, sequence_name);

CREATE VIEW memory.pgc.pg_sequences AS
SELECT memory.pgc._nspname(database_name, schema_name) AS schemaname, sequence_name AS sequencename, memory.pgc."current_user"() AS sequenceowner,
  20::INTEGER AS data_type, start_value::BIGINT AS start_value, min_value::BIGINT AS min_value, max_value::BIGINT AS max_value,
  increment_by::BIGINT AS increment_by, cycle, 1::BIGINT AS cache_size, last_value::BIGINT AS last_value
FROM duckdb_sequences() WHERE memory.pgc._shown(database_name, schema_name, sequence_name);

CREATE VIEW memory.pgc.pg_description AS
SELECT objoid::INTEGER AS objoid, classoid::INTEGER AS classoid, objsubid::INTEGER AS objsubid, description FROM (
SELECT oid AS objoid, 1259 AS classoid, 0 AS objsubid, comment AS description FROM memory.pgc._class WHERE comment IS NOT NULL
UNION ALL SELECT attrelid, 1259, attnum, comment FROM memory.pgc._column WHERE comment IS NOT NULL
UNION ALL SELECT oid, 1247, 0, comment FROM memory.pgc._enum WHERE comment IS NOT NULL
UNION ALL SELECT oid, 1255, 0, comment FROM memory.pgc._function WHERE comment IS NOT NULL
UNION ALL SELECT memory.pgc._nspoid(database_name, schema_name, oid), 2615, 0, comment FROM duckdb_schemas()
  WHERE database_name = 'sessiondb_data' AND comment IS NOT NULL);

CREATE VIEW memory.pgc.pg_am AS
SELECT oid::INTEGER AS oid, amname, handler::INTEGER AS amhandler, amtype
FROM (VALUES (2, 'heap', 3, 't'), (403, 'btree', 330, 'i')) AS a(oid, amname, handler, amtype);

CREATE VIEW memory.pgc.pg_language AS
SELECT oid::INTEGER AS oid, lanname, 10::INTEGER AS lanowner, false AS lanispl, trusted AS lanpltrusted, 0::INTEGER AS lanplcallfoid,
  0::INTEGER AS laninline, validator::INTEGER AS lanvalidator, NULL::VARCHAR[] AS lanacl
FROM (VALUES (12, 'internal', false, 2246), (13, 'c', false, 2247), (14, 'sql', true, 2248)) AS l(oid, lanname, trusted, validator);

CREATE VIEW memory.pgc.pg_collation AS
SELECT oid::INTEGER AS oid, collname, 11::INTEGER AS collnamespace, 10::INTEGER AS collowner, provider AS collprovider,
  true AS collisdeterministic, -1::INTEGER AS collencoding, loc AS collcollate, loc AS collctype, NULL::VARCHAR AS colliculocale,
  NULL::VARCHAR AS collversion
FROM (VALUES (100, 'default', 'd', NULL), (950, 'C', 'c', 'C'), (951, 'POSIX', 'c', 'POSIX')) AS c(oid, collname, provider, loc);

CREATE VIEW memory.pgc.pg_tablespace AS
SELECT oid::INTEGER AS oid, spcname, 10::INTEGER AS spcowner, NULL::VARCHAR[] AS spcacl, NULL::VARCHAR[] AS spcoptions
FROM (VALUES (1663, 'pg_default'), (1664, 'pg_global')) AS t(oid, spcname);

CREATE VIEW memory.pgc.pg_database AS
SELECT 16384::INTEGER AS oid, memory.pgc.current_database() AS datname, 10::INTEGER AS datdba, 6::INTEGER AS "encoding", 'c' AS datlocprovider,
  false AS datistemplate, true AS datallowconn, -1::INTEGER AS datconnlimit, 0::INTEGER AS datfrozenxid, 0::INTEGER AS datminmxid,
  1663::INTEGER AS dattablespace, 'C' AS datcollate, 'C' AS datctype, NULL::VARCHAR AS daticulocale, NULL::VARCHAR AS datcollversion,
  NULL::VARCHAR[] AS datacl;

CREATE VIEW memory.pgc.pg_authid AS
SELECT 10::INTEGER AS oid, memory.pgc."current_user"() AS rolname, true AS rolsuper, true AS rolinherit, true AS rolcreaterole, true AS rolcreatedb,
  true AS rolcanlogin, false AS rolreplication, true AS rolbypassrls, -1::INTEGER AS rolconnlimit, NULL::VARCHAR AS rolpassword,
  NULL::TIMESTAMPTZ AS rolvaliduntil;

CREATE VIEW memory.pgc.pg_roles AS
SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolconnlimit, '********' AS rolpassword,
  rolvaliduntil, rolbypassrls, NULL::VARCHAR[] AS rolconfig, oid
FROM memory.pgc.pg_authid;

CREATE VIEW memory.pgc.pg_user AS
SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS usecreatedb, rolsuper AS usesuper, rolreplication AS userepl, rolbypassrls AS usebypassrls,
  '********' AS passwd, rolvaliduntil AS valuntil, NULL::VARCHAR[] AS useconfig
FROM memory.pgc.pg_authid;

CREATE VIEW memory.pgc.pg_settings AS
SELECT name, coalesce(memory.pgc._settings()[lower(name)], reset) AS setting, unit, category, short_desc, NULL::VARCHAR AS extra_desc, context, vartype,
  CASE WHEN memory.pgc._settings()[lower(name)] IS NULL THEN 'default' ELSE 'session' END AS source, min_val, max_val, enumvals, boot_val,
  reset AS reset_val, NULL::VARCHAR AS sourcefile, NULL::INTEGER AS sourceline, false AS pending_restart
FROM memory.pgc._setting;

CREATE VIEW memory.pgc.pg_tables AS
SELECT c.nspname AS schemaname, c.relname AS tablename, memory.pgc."current_user"() AS tableowner, NULL::VARCHAR AS tablespace, c.hasindex AS hasindexes,
  false AS hasrules, false AS hastriggers, false AS rowsecurity
FROM memory.pgc._class AS c WHERE c.relkind = 'r';

CREATE VIEW memory.pgc.pg_views AS
SELECT c.nspname AS schemaname, c.relname AS viewname, memory.pgc."current_user"() AS viewowner, d.definition
FROM memory.pgc._class AS c LEFT JOIN memory.pgc._viewdef AS d ON d.oid = c.oid
WHERE c.relkind = 'v';

CREATE VIEW memory.pgc.pg_matviews AS
SELECT c.nspname AS schemaname, c.relname AS matviewname, memory.pgc."current_user"() AS matviewowner, NULL::VARCHAR AS tablespace,
  false AS hasindexes, c.populated AS ispopulated, d.definition
FROM memory.pgc._class AS c LEFT JOIN memory.pgc._viewdef AS d ON d.oid = c.oid
WHERE c.relkind = 'm';

CREATE VIEW memory.pgc.pg_timezone_names AS
SELECT name, abbrev, utc_offset, is_dst FROM pg_timezone_names();

CREATE VIEW memory.pgc._some_pg_stat_user_tables AS
SELECT c.oid::INTEGER AS relid, c.nspname AS schemaname, c.relname, 0::BIGINT AS seq_scan, 0::BIGINT AS seq_tup_read, 0::BIGINT AS n_tup_ins, 0::BIGINT AS n_tup_upd, 0::BIGINT AS n_tup_del, 0::BIGINT AS n_tup_hot_upd,
  c.tuples::BIGINT AS n_live_tup, 0::BIGINT AS n_dead_tup, 0::BIGINT AS n_mod_since_analyze, 0::BIGINT AS n_ins_since_vacuum,
  0::BIGINT AS vacuum_count, 0::BIGINT AS autovacuum_count, 0::BIGINT AS analyze_count, 0::BIGINT AS autoanalyze_count
FROM memory.pgc._class AS c
WHERE c.relkind IN ('r', 'm') AND c.nspname NOT IN ('pg_catalog', 'information_schema');

CREATE VIEW memory.pgc._some_pg_stat_activity AS
SELECT 16384::INTEGER AS datid, memory.pgc.current_database() AS datname, memory.pgc.pg_backend_pid() AS pid, 10::INTEGER AS usesysid, memory.pgc."current_user"() AS usename, memory.pgc.current_setting('application_name') AS application_name,
  -1::INTEGER AS client_port, now() AS query_start, now() AS state_change, 'active' AS state, 'client backend' AS backend_type;
