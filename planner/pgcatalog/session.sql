-- Functions that speak of the session, and the definitions that views.sql shows.

CREATE MACRO memory.pgc.current_database() AS coalesce(getvariable('pgc_database')::VARCHAR, 'sessiondb');
CREATE MACRO memory.pgc.current_catalog() AS memory.pgc.current_database();
CREATE MACRO memory.pgc."current_user"() AS coalesce(getvariable('pgc_user')::VARCHAR, 'sessiondb');
CREATE MACRO memory.pgc."session_user"() AS memory.pgc."current_user"();
CREATE MACRO memory.pgc."current_role"() AS memory.pgc."current_user"();
CREATE MACRO memory.pgc."user"() AS memory.pgc."current_user"();
CREATE MACRO memory.pgc.getpgusername() AS memory.pgc."current_user"();
CREATE MACRO memory.pgc.pg_backend_pid() AS coalesce(getvariable('pgc_pid')::INTEGER, 0);
CREATE MACRO memory.pgc.pg_postmaster_start_time() AS getvariable('pgc_started')::TIMESTAMPTZ;
CREATE MACRO memory.pgc.pg_conf_load_time() AS getvariable('pgc_started')::TIMESTAMPTZ;
CREATE MACRO memory.pgc.version() AS
  'PostgreSQL ' || coalesce(memory.pgc._settings()['server_version'], '15.0') || ', answered by sessiondb on DuckDB';

-- Whether a schema is there cannot be asked here, since DuckDB takes no subquery where these may stand;
-- the one of the user's own name, first in the default path, is taken not to be.
CREATE MACRO memory.pgc._path() AS list_filter(memory.pgc._search_path(), lambda _s: _s <> memory.pgc."current_user"());
CREATE MACRO memory.pgc.current_schema() AS memory.pgc._path()[1];
CREATE MACRO memory.pgc.current_schemas(implicit) AS
  CASE WHEN implicit THEN list_concat(['pg_catalog'], memory.pgc._path()) ELSE memory.pgc._path() END;

CREATE MACRO memory.pgc._setting_value(setting_name) AS
  coalesce(memory.pgc._settings()[lower(setting_name)], (getvariable('pgc_defaults')::MAP(VARCHAR, VARCHAR))[lower(setting_name)]);
CREATE MACRO memory.pgc.current_setting(setting_name) AS
  coalesce(memory.pgc._setting_value(setting_name), error('[42704] unrecognized configuration parameter "' || setting_name || '"')),
(setting_name, missing_ok) AS
  coalesce(memory.pgc._setting_value(setting_name),
    CASE WHEN NOT missing_ok THEN error('[42704] unrecognized configuration parameter "' || setting_name || '"') END);

-- A view's query, as pg_get_viewdef gives it.
CREATE MACRO memory.pgc._view_query(sql) AS
  regexp_replace(rtrim(sql, ';'), '(?s)^CREATE (OR REPLACE )?(TEMP |TEMPORARY )?(MATERIALIZED )?VIEW (IF NOT EXISTS )?([^ ("]|"[^"]*")+ (\([^)]*\) )?AS ', '');
CREATE MACRO memory.pgc._view_columns(sql) AS
  regexp_extract(sql, '^CREATE (TEMP )?VIEW ([^ ("]|"[^"]*")+ (\([^)]*\)) AS ', 3);
CREATE VIEW memory.pgc._viewdef AS
SELECT v.view_oid::INTEGER AS oid, CASE
    WHEN m.definition IS NOT NULL THEN ' ' || memory.pgc._view_query(m.definition) || ';'
    WHEN memory.pgc._view_columns(v.sql) <> ''
    THEN ' SELECT * FROM (' || memory.pgc._view_query(v.sql) || ') AS ' || memory.pgc._quote(v.view_name) || memory.pgc._view_columns(v.sql) || ';'
    ELSE ' ' || memory.pgc._view_query(v.sql) || ';' END AS definition
FROM duckdb_views() AS v
LEFT JOIN sessiondb_data.sessiondb.view_definitions AS m
  ON m.schema_name = v.schema_name AND m.view_name = v.view_name AND v.database_name = 'sessiondb_data'
WHERE NOT v.internal AND memory.pgc._shown(v.database_name, v.schema_name, v.view_name);

-- What a foreign key refers to: the constraint's table, columns and index there.
CREATE VIEW memory.pgc._referenced AS
SELECT k.oid AS constraint_oid, t.table_oid::INTEGER AS oid, k.database_name, k.schema_name, k.referenced_table,
  (SELECT list(c.attnum ORDER BY list_position(k.referenced_column_names, c.attname)) FROM memory.pgc._column AS c
    WHERE c.attrelid = t.table_oid AND list_contains(k.referenced_column_names, c.attname)) AS confkey,
  (SELECT min(u.indexrelid) FROM memory.pgc._constraint AS u
    WHERE u.conrelid = t.table_oid AND u.contype IN ('p', 'u') AND list_sort(u.columns) = list_sort(k.referenced_column_names)) AS indexrelid
FROM memory.pgc._constraint AS k
JOIN duckdb_tables() AS t ON t.database_name = k.database_name AND t.schema_name = k.schema_name AND t.table_name = k.referenced_table
WHERE k.contype = 'f';

CREATE VIEW memory.pgc._constraintdef AS
SELECT (536870912 + conrelid::BIGINT * 128 + place)::INTEGER AS oid, CASE
    WHEN contype <> 'f' THEN regexp_replace(constraint_text, '^(PRIMARY KEY|UNIQUE|CHECK)\(', '\1 (')
    WHEN memory.pgc._visible(nspname) THEN constraint_text
    ELSE replace(constraint_text, ' REFERENCES ', ' REFERENCES ' || memory.pgc._quote(nspname) || '.') END AS definition
FROM (SELECT *, memory.pgc._nspname(database_name, schema_name) AS nspname FROM memory.pgc._plain_constraint);

CREATE VIEW memory.pgc._indexdef AS
SELECT indexrelid, 'CREATE ' || CASE WHEN is_unique THEN 'UNIQUE ' ELSE '' END || 'INDEX ' || memory.pgc._quote(relname)
  || ' ON ' || memory.pgc._quote(memory.pgc._nspname(database_name, schema_name)) || '.' || memory.pgc._quote(table_name)
  || ' USING btree (' || array_to_string(displays, ', ') || ')' AS indexdef, displays
FROM memory.pgc._index;

-- The planner changes the setting when it meets the call; this is the call's value.
CREATE MACRO memory.pgc.set_config(setting_name, new_value, is_local) AS new_value;

-- What the session has open: lists that the planner puts into variables.
CREATE VIEW memory.pgc._some_pg_prepared_statements AS
SELECT p.name, p.statement, p.prepare_time, p.parameter_types, true AS from_sql, 0 AS generic_plans, 0 AS custom_plans
FROM (SELECT unnest(getvariable('pgc_prepared')::STRUCT(name VARCHAR, statement VARCHAR, prepare_time TIMESTAMPTZ, parameter_types INTEGER[])[]) AS p);
CREATE VIEW memory.pgc._some_pg_cursors AS
SELECT c.name, c.statement, c.is_holdable, false AS is_binary, c.is_scrollable, c.creation_time
FROM (SELECT unnest(getvariable('pgc_cursors')::STRUCT(name VARCHAR, statement VARCHAR, is_holdable BOOLEAN, is_scrollable BOOLEAN, creation_time TIMESTAMPTZ)[]) AS c);
