-- The functions of PostgreSQL 15 over its catalog. An error's text starts with its SQLSTATE in
-- brackets; the planner takes it off. DuckDB puts a macro's arguments into its text, where a name in
-- them would find a column of the macro's own subquery first: so subqueries read the views _lookup_x
-- only, as _l, whose columns begin with an underscore, and lambdas name their parameters so too.

CREATE VIEW memory.pgc._lookup_class AS
SELECT oid AS _oid, relname AS _relname, nspname AS _nspname, relkind AS _relkind, tuples AS _tuples FROM memory.pgc._class;
CREATE VIEW memory.pgc._lookup_type AS
SELECT oid AS _oid, typname AS _typname, display AS _display, typarray AS _typarray, nspname AS _nspname FROM memory.pgc._all_type;
CREATE VIEW memory.pgc._lookup_format AS
SELECT oid AS _oid, display AS _display FROM memory.pgc._type
UNION ALL SELECT oid, memory.pgc._qualified(nspname, type_name) FROM memory.pgc._enum
UNION ALL SELECT array_oid, memory.pgc._qualified(nspname, type_name) || '[]' FROM memory.pgc._enum;
CREATE VIEW memory.pgc._lookup_proc AS
SELECT p.oid AS _oid, p.proname AS _proname, n.nspname AS _nspname, CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END || r.display AS _result,
  coalesce(array_to_string(list_transform(p.proargnames, lambda a: memory.pgc._quote(a) || ' anyelement'), ', '), t.types, '') AS _arguments
FROM memory.pgc.pg_proc AS p JOIN memory.pgc.pg_namespace AS n ON n.oid = p.pronamespace
LEFT JOIN memory.pgc._type AS r ON r.oid = p.prorettype
LEFT JOIN (SELECT u.oid, string_agg(y.display, ', ' ORDER BY u.place) AS types FROM
    (SELECT oid, unnest(proargtypes) AS argtype, generate_subscripts(proargtypes, 1) AS place FROM memory.pgc._proc) AS u
  JOIN memory.pgc._type AS y ON y.oid = u.argtype GROUP BY u.oid) AS t ON t.oid = p.oid;
CREATE VIEW memory.pgc._lookup_procname AS
SELECT oid AS _oid, proname AS _proname FROM memory.pgc._proc UNION ALL SELECT oid, memory.pgc._quote(proname) FROM memory.pgc._function;
CREATE VIEW memory.pgc._lookup_function AS
SELECT oid AS _oid, macro_definition AS _body, 'CREATE OR REPLACE MACRO ' || memory.pgc._quote(proname) || '(' || array_to_string(list_transform(parameters, lambda p: memory.pgc._quote(p)), ', ') || ') AS '
  || CASE WHEN retset THEN 'TABLE ' ELSE '' END || macro_definition || chr(10) AS _definition
FROM memory.pgc._function;
CREATE VIEW memory.pgc._lookup_namespace AS SELECT oid AS _oid, nspname AS _nspname FROM memory.pgc.pg_namespace;
CREATE VIEW memory.pgc._lookup_collation AS SELECT oid AS _oid, collname AS _collname FROM memory.pgc.pg_collation;
CREATE VIEW memory.pgc._lookup_view AS SELECT oid AS _oid, definition AS _definition FROM memory.pgc._viewdef;
CREATE VIEW memory.pgc._lookup_constraint AS SELECT oid AS _oid, definition AS _definition FROM memory.pgc._constraintdef;
CREATE VIEW memory.pgc._lookup_index AS SELECT indexrelid AS _oid, indexdef AS _definition, displays AS _keys FROM memory.pgc._indexdef;
CREATE VIEW memory.pgc._lookup_comment AS
SELECT objoid AS _objoid, classoid AS _classoid, objsubid AS _objsubid, description AS _description FROM memory.pgc.pg_description;
CREATE VIEW memory.pgc._lookup_column AS
SELECT attrelid AS _attrelid, attname AS _attname, attnum AS _attnum, comment AS _comment, column_default AS _default,
  memory.pgc._nspname(database_name, schema_name) AS _nspname
FROM memory.pgc._column;

CREATE MACRO memory.pgc.quote_ident(s) AS memory.pgc._quote(s::VARCHAR);

-- Names and OIDs. A reg* argument is an OID (number or digits) or a name, as in Postgres.
CREATE MACRO memory.pgc._oid(x) AS TRY_CAST(x::VARCHAR AS INTEGER);
CREATE MACRO memory.pgc._name_parts(x) AS
  list_transform(regexp_extract_all(x::VARCHAR, '"(?:[^"]|"")*"|[^."]+'),
    lambda _p: CASE WHEN _p[1] = '"' THEN replace(_p[2:-2], '""', '"') ELSE lower(trim(_p)) END);
CREATE MACRO memory.pgc._schema_rank(nspname) AS
  CASE nspname WHEN 'pg_temp_1' THEN 0 WHEN 'pg_catalog' THEN 1 ELSE 1 + coalesce(list_position(memory.pgc._search_path(), nspname), 1000) END;
CREATE MACRO memory.pgc._find_class(x) AS
  (SELECT arg_min(_l._oid, memory.pgc._schema_rank(_l._nspname)) FROM memory.pgc._lookup_class AS _l
    WHERE _l._relname = memory.pgc._name_parts(x)[-1]
      AND CASE WHEN len(memory.pgc._name_parts(x)) > 1 THEN _l._nspname = memory.pgc._name_parts(x)[-2] ELSE memory.pgc._visible(_l._nspname) END);
CREATE MACRO memory.pgc.to_regclass(x) AS coalesce(memory.pgc._oid(x), memory.pgc._find_class(x))::INTEGER;
CREATE MACRO memory.pgc.regclass(x) AS
  coalesce(memory.pgc.to_regclass(x), CASE WHEN x::VARCHAR IS NOT NULL THEN error('[42P01] relation "' || x::VARCHAR || '" does not exist')::INTEGER END);
-- What ends in _name takes an OID only.
CREATE MACRO memory.pgc.regclass_name(o) AS
  coalesce((SELECT memory.pgc._qualified(_l._nspname, _l._relname) FROM memory.pgc._lookup_class AS _l WHERE _l._oid = o),
    CASE WHEN o = 0 THEN '-' ELSE o::VARCHAR END);
CREATE MACRO memory.pgc.regclass_text(x) AS memory.pgc.regclass_name(memory.pgc.regclass(x));

CREATE MACRO memory.pgc._type_alias(n) AS
  CASE n WHEN 'int' THEN 'int4' WHEN 'dec' THEN 'numeric' WHEN 'decimal' THEN 'numeric' WHEN 'float' THEN 'float8' WHEN '"char"' THEN 'char'
    WHEN 'char' THEN 'bpchar' WHEN 'character' THEN 'bpchar' ELSE n END;
CREATE MACRO memory.pgc._type_word(x) AS
  memory.pgc._type_alias(regexp_replace(regexp_replace(lower(trim(x::VARCHAR)), '^pg_catalog\.|^public\.', ''), '\s*\([^)]*\)|(\s*\[\d*\])+$', '', 'g'));
CREATE MACRO memory.pgc.to_regtype(x) AS
  coalesce(memory.pgc._oid(x), (SELECT min(CASE WHEN regexp_matches(x::VARCHAR, '\]\s*$') THEN _l._typarray ELSE _l._oid END)
    FROM memory.pgc._lookup_type AS _l WHERE _l._typname = memory.pgc._type_word(x) OR _l._display = memory.pgc._type_word(x)))::INTEGER;
CREATE MACRO memory.pgc.regtype(x) AS
  coalesce(memory.pgc.to_regtype(x), CASE WHEN x::VARCHAR IS NOT NULL THEN error('[42704] type "' || x::VARCHAR || '" does not exist')::INTEGER END);
CREATE MACRO memory.pgc._typmod_suffix(t, m) AS
  CASE WHEN m::INTEGER IS NULL OR m < 0 THEN '' WHEN t IN (1700, 1231) THEN '(' || ((m - 4) >> 16) || ',' || ((m - 4) & 2047) || ')'
    WHEN t IN (1042, 1043, 1014, 1015) THEN '(' || (m - 4) || ')'
    WHEN t IN (1560, 1562, 1561, 1563, 1083, 1266, 1114, 1184, 1183, 1270, 1115, 1185) THEN '(' || m || ')' ELSE '' END;
CREATE MACRO memory.pgc.format_type(t, m) AS
  CASE WHEN t::BIGINT IS NULL THEN NULL ELSE coalesce(
    (SELECT CASE WHEN m::INTEGER IS NULL OR m < 0 THEN _l._display
        ELSE regexp_replace(_l._display, '( with(out)? time zone)?(\[\])?$', memory.pgc._typmod_suffix(_l._oid, m) || '\1\3') END
      FROM memory.pgc._lookup_format AS _l WHERE _l._oid = t),
    CASE WHEN t = 0 THEN '-' ELSE '???' END) END;
CREATE MACRO memory.pgc.regtype_name(o) AS
  coalesce((SELECT _l._display FROM memory.pgc._lookup_format AS _l WHERE _l._oid = o), CASE WHEN o = 0 THEN '-' ELSE o::VARCHAR END);
CREATE MACRO memory.pgc.regtype_text(x) AS memory.pgc.regtype_name(memory.pgc.regtype(x));

CREATE MACRO memory.pgc._type_names(oids) AS
  (SELECT list(_l._display ORDER BY _u._place) FROM (SELECT unnest(oids) AS _o, generate_subscripts(oids, 1) AS _place) AS _u
    JOIN memory.pgc._lookup_format AS _l ON _l._oid = _u._o);

CREATE MACRO memory.pgc.to_regproc(x) AS
  coalesce(memory.pgc._oid(x), (SELECT min(_l._oid) FROM memory.pgc._lookup_proc AS _l
    WHERE _l._proname = memory.pgc._name_parts(regexp_replace(x::VARCHAR, '\(.*', ''))[-1]))::INTEGER;
CREATE MACRO memory.pgc.to_regprocedure(x) AS memory.pgc.to_regproc(x);
CREATE MACRO memory.pgc.regproc(x) AS
  coalesce(memory.pgc.to_regproc(x), CASE WHEN x::VARCHAR = '-' THEN 0
    WHEN x::VARCHAR IS NOT NULL THEN error('[42883] function "' || x::VARCHAR || '" does not exist')::INTEGER END)::INTEGER;
CREATE MACRO memory.pgc.regprocedure(x) AS memory.pgc.regproc(x);
CREATE MACRO memory.pgc.regproc_name(o) AS
  coalesce((SELECT _l._proname FROM memory.pgc._lookup_procname AS _l WHERE _l._oid = o), CASE WHEN o = 0 THEN '-' ELSE o::VARCHAR END);
CREATE MACRO memory.pgc.regproc_text(x) AS memory.pgc.regproc_name(memory.pgc.regproc(x));
CREATE MACRO memory.pgc.regprocedure_name(o) AS
  coalesce((SELECT memory.pgc._quote(_l._proname) || '(' || _l._arguments || ')' FROM memory.pgc._lookup_proc AS _l WHERE _l._oid = o),
    CASE WHEN o = 0 THEN '-' ELSE o::VARCHAR END);
CREATE MACRO memory.pgc.regprocedure_text(x) AS memory.pgc.regprocedure_name(memory.pgc.regprocedure(x));
CREATE MACRO memory.pgc.to_regnamespace(x) AS
  coalesce(memory.pgc._oid(x), (SELECT _l._oid FROM memory.pgc._lookup_namespace AS _l WHERE _l._nspname = memory.pgc._name_parts(x)[1]))::INTEGER;
CREATE MACRO memory.pgc.regnamespace(x) AS
  coalesce(memory.pgc.to_regnamespace(x), CASE WHEN x::VARCHAR IS NOT NULL THEN error('[3F000] schema "' || x::VARCHAR || '" does not exist')::INTEGER END);
CREATE MACRO memory.pgc.regnamespace_name(o) AS
  coalesce((SELECT memory.pgc._quote(_l._nspname) FROM memory.pgc._lookup_namespace AS _l WHERE _l._oid = o), CASE WHEN o = 0 THEN '-' ELSE o::VARCHAR END);
CREATE MACRO memory.pgc.regnamespace_text(x) AS memory.pgc.regnamespace_name(memory.pgc.regnamespace(x));
CREATE MACRO memory.pgc.to_regrole(x) AS
  coalesce(memory.pgc._oid(x), CASE WHEN memory.pgc._name_parts(x)[1] = memory.pgc."current_user"() THEN 10 END)::INTEGER;
CREATE MACRO memory.pgc.regrole(x) AS
  coalesce(memory.pgc.to_regrole(x), CASE WHEN x::VARCHAR IS NOT NULL THEN error('[42704] role "' || x::VARCHAR || '" does not exist')::INTEGER END);
CREATE MACRO memory.pgc.regrole_name(o) AS
  CASE WHEN o = 10 THEN memory.pgc.quote_ident(memory.pgc."current_user"()) WHEN o = 0 THEN '-' ELSE o::VARCHAR END;
CREATE MACRO memory.pgc.regrole_text(x) AS memory.pgc.regrole_name(memory.pgc.regrole(x));
-- Operators and text search configurations are not listed, so their OIDs are all that is known.
CREATE MACRO memory.pgc.regoper(x) AS memory.pgc._oid(x);
CREATE MACRO memory.pgc.regoper_text(x) AS x::VARCHAR;
CREATE MACRO memory.pgc.regoperator(x) AS memory.pgc._oid(x);
CREATE MACRO memory.pgc.regoperator_text(x) AS x::VARCHAR;
CREATE MACRO memory.pgc.regcollation(x) AS
  coalesce(memory.pgc._oid(x), (SELECT _l._oid FROM memory.pgc._lookup_collation AS _l WHERE _l._collname = memory.pgc._name_parts(x)[-1]))::INTEGER;
CREATE MACRO memory.pgc.regcollation_text(x) AS
  coalesce((SELECT memory.pgc.quote_ident(_l._collname) FROM memory.pgc._lookup_collation AS _l WHERE _l._oid = memory.pgc._oid(x)), x::VARCHAR);
CREATE MACRO memory.pgc.regconfig(x) AS memory.pgc._oid(x);
CREATE MACRO memory.pgc.regconfig_text(x) AS x::VARCHAR;
CREATE MACRO memory.pgc.regdictionary(x) AS memory.pgc._oid(x);
CREATE MACRO memory.pgc.regdictionary_text(x) AS x::VARCHAR;
CREATE MACRO memory.pgc.pg_typeof(x) AS
  (SELECT _l._display FROM memory.pgc._lookup_duck_type AS _l
    WHERE _l._duck = trim(regexp_extract(typeof(x), '^("NULL"|[A-Z_0-9 ]+)')) AND _l._array = ends_with(typeof(x), ']'));

-- Definitions.
CREATE MACRO memory.pgc.pg_get_expr(tree, relation) AS tree, (tree, relation, pretty) AS tree;
CREATE MACRO memory.pgc.pg_get_viewdef(v) AS (SELECT _l._definition FROM memory.pgc._lookup_view AS _l WHERE _l._oid = memory.pgc.to_regclass(v)),
  (v, pretty) AS (SELECT _l._definition FROM memory.pgc._lookup_view AS _l WHERE _l._oid = memory.pgc.to_regclass(v));
CREATE MACRO memory.pgc.pg_get_constraintdef(c) AS (SELECT _l._definition FROM memory.pgc._lookup_constraint AS _l WHERE _l._oid = c),
  (c, pretty) AS (SELECT CASE WHEN pretty THEN regexp_replace(_l._definition, '^CHECK \(\((.*)\)\)$', 'CHECK (\1)') ELSE _l._definition END
    FROM memory.pgc._lookup_constraint AS _l WHERE _l._oid = c);
CREATE MACRO memory.pgc.pg_get_indexdef(i) AS (SELECT _l._definition FROM memory.pgc._lookup_index AS _l WHERE _l._oid = i),
  (i, key_number, pretty) AS
    (SELECT CASE WHEN key_number = 0 THEN _l._definition ELSE coalesce(_l._keys[key_number], '') END FROM memory.pgc._lookup_index AS _l WHERE _l._oid = i);
CREATE MACRO memory.pgc.pg_get_function_arguments(f) AS (SELECT _l._arguments FROM memory.pgc._lookup_proc AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_get_function_identity_arguments(f) AS (SELECT _l._arguments FROM memory.pgc._lookup_proc AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_get_function_result(f) AS (SELECT _l._result FROM memory.pgc._lookup_proc AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_get_function_sqlbody(f) AS (SELECT _l._body FROM memory.pgc._lookup_function AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_get_function_arg_default(f, n) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_functiondef(f) AS (SELECT _l._definition FROM memory.pgc._lookup_function AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_get_serial_sequence(t, c) AS
  (SELECT _l._nspname || '.' || regexp_extract(_l._default, 'nextval\(''"?([^''"]+)"?''', 1) FROM memory.pgc._lookup_column AS _l
    WHERE _l._attrelid = memory.pgc.regclass(t) AND _l._attname = c AND regexp_matches(_l._default, '^nextval\('''));
CREATE MACRO memory.pgc.pg_get_partkeydef(t) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_partition_constraintdef(t) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_triggerdef(t) AS NULL::VARCHAR, (t, pretty) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_ruledef(r) AS NULL::VARCHAR, (r, pretty) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_statisticsobjdef(s) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_statisticsobjdef_columns(s) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_get_userbyid(r) AS CASE WHEN r = 10 THEN memory.pgc."current_user"() ELSE 'unknown (OID=' || r || ')' END;
CREATE MACRO memory.pgc.pg_get_replica_identity_index(t) AS NULL::INTEGER;

-- Comments.
CREATE MACRO memory.pgc._catalog_oid(catalog) AS
  CASE catalog WHEN 'pg_class' THEN 1259 WHEN 'pg_type' THEN 1247 WHEN 'pg_proc' THEN 1255 WHEN 'pg_namespace' THEN 2615 ELSE 0 END;
CREATE MACRO memory.pgc.obj_description(o) AS
  (SELECT min(_l._description) FROM memory.pgc._lookup_comment AS _l WHERE _l._objoid = o AND _l._objsubid = 0),
(o, catalog) AS
  (SELECT _l._description FROM memory.pgc._lookup_comment AS _l
    WHERE _l._objoid = o AND _l._objsubid = 0 AND _l._classoid = memory.pgc._catalog_oid(catalog));
CREATE MACRO memory.pgc.col_description(t, n) AS
  (SELECT _l._comment FROM memory.pgc._lookup_column AS _l WHERE _l._attrelid = t AND _l._attnum = n);
CREATE MACRO memory.pgc.shobj_description(o, catalog) AS NULL::VARCHAR;

-- Visibility.
CREATE MACRO memory.pgc.pg_table_is_visible(t) AS
  (SELECT memory.pgc._visible(_l._nspname) FROM memory.pgc._lookup_class AS _l WHERE _l._oid = t);
CREATE MACRO memory.pgc.pg_type_is_visible(t) AS
  (SELECT memory.pgc._visible(_l._nspname) FROM memory.pgc._lookup_type AS _l WHERE _l._oid = t);
CREATE MACRO memory.pgc.pg_function_is_visible(f) AS
  (SELECT memory.pgc._visible(_l._nspname) FROM memory.pgc._lookup_proc AS _l WHERE _l._oid = f);
CREATE MACRO memory.pgc.pg_operator_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_opclass_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_opfamily_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_collation_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_conversion_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_statistics_obj_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_ts_config_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_ts_dict_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_ts_parser_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_ts_template_is_visible(o) AS true;
CREATE MACRO memory.pgc.pg_relation_is_publishable(t) AS false;
CREATE MACRO memory.pgc.pg_relation_is_updatable(t, triggers) AS
  coalesce((SELECT CASE WHEN _l._relkind = 'r' THEN 28 ELSE 0 END FROM memory.pgc._lookup_class AS _l WHERE _l._oid = t), 0)::INTEGER;
CREATE MACRO memory.pgc.pg_column_is_updatable(t, attnum, triggers) AS
  coalesce((SELECT _l._relkind = 'r' FROM memory.pgc._lookup_class AS _l WHERE _l._oid = t), false);
CREATE MACRO memory.pgc.pg_partition_ancestors(t) AS unnest(list_filter([memory.pgc._oid(t)], lambda _x: false));
CREATE MACRO memory.pgc.pg_partition_tree(relation) AS TABLE
  SELECT relation::INTEGER AS relid, NULL::INTEGER AS parentrelid, true AS isleaf, 0 AS level WHERE false;
CREATE MACRO memory.pgc.pg_partition_root(t) AS NULL::INTEGER;
CREATE MACRO memory.pgc.pg_my_temp_schema() AS 0::INTEGER;
CREATE MACRO memory.pgc.pg_is_other_temp_schema(n) AS false;

-- Privileges: what a role may do is decided when a statement runs, not by ACLs.
CREATE MACRO memory.pgc.has_table_privilege(t, p) AS (t::VARCHAR || p::VARCHAR) IS NOT NULL, (u, t, p) AS (u::VARCHAR || t::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_any_column_privilege(t, p) AS (t::VARCHAR || p::VARCHAR) IS NOT NULL, (u, t, p) AS (u::VARCHAR || t::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_column_privilege(t, c, p) AS (t::VARCHAR || c::VARCHAR || p::VARCHAR) IS NOT NULL, (u, t, c, p) AS (u::VARCHAR || t::VARCHAR || c::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_schema_privilege(s, p) AS (s::VARCHAR || p::VARCHAR) IS NOT NULL, (u, s, p) AS (u::VARCHAR || s::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_database_privilege(d, p) AS (d::VARCHAR || p::VARCHAR) IS NOT NULL, (u, d, p) AS (u::VARCHAR || d::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_function_privilege(f, p) AS (f::VARCHAR || p::VARCHAR) IS NOT NULL, (u, f, p) AS (u::VARCHAR || f::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_language_privilege(l, p) AS (l::VARCHAR || p::VARCHAR) IS NOT NULL, (u, l, p) AS (u::VARCHAR || l::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_sequence_privilege(s, p) AS (s::VARCHAR || p::VARCHAR) IS NOT NULL, (u, s, p) AS (u::VARCHAR || s::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_tablespace_privilege(t, p) AS (t::VARCHAR || p::VARCHAR) IS NOT NULL, (u, t, p) AS (u::VARCHAR || t::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_type_privilege(t, p) AS (t::VARCHAR || p::VARCHAR) IS NOT NULL, (u, t, p) AS (u::VARCHAR || t::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_foreign_data_wrapper_privilege(f, p) AS (f::VARCHAR || p::VARCHAR) IS NOT NULL, (u, f, p) AS (u::VARCHAR || f::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_server_privilege(s, p) AS (s::VARCHAR || p::VARCHAR) IS NOT NULL, (u, s, p) AS (u::VARCHAR || s::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.has_parameter_privilege(n, p) AS (n::VARCHAR || p::VARCHAR) IS NOT NULL, (u, n, p) AS (u::VARCHAR || n::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.pg_has_role(r, p) AS (r::VARCHAR || p::VARCHAR) IS NOT NULL, (u, r, p) AS (u::VARCHAR || r::VARCHAR || p::VARCHAR) IS NOT NULL;
CREATE MACRO memory.pgc.row_security_active(t) AS false;
CREATE MACRO memory.pgc.acldefault(kind, owner_oid) AS
  [memory.pgc.quote_ident(memory.pgc."current_user"()) || '=' || CASE kind WHEN 'r' THEN 'arwdDxt' WHEN 's' THEN 'rwU' WHEN 'n' THEN 'UC' WHEN 'd' THEN 'CTc'
    WHEN 'f' THEN 'X' WHEN 'l' THEN 'U' WHEN 'T' THEN 'U' ELSE '' END || '/' || memory.pgc.quote_ident(memory.pgc."current_user"())];

-- Sizes: DuckDB knows them of the whole file only.
CREATE MACRO memory.pgc.pg_relation_size(t) AS NULL::BIGINT, (t, fork) AS NULL::BIGINT;
CREATE MACRO memory.pgc.pg_table_size(t) AS NULL::BIGINT;
CREATE MACRO memory.pgc.pg_indexes_size(t) AS NULL::BIGINT;
CREATE MACRO memory.pgc.pg_total_relation_size(t) AS NULL::BIGINT;
CREATE MACRO memory.pgc.pg_tablespace_size(t) AS NULL::BIGINT;
CREATE MACRO memory.pgc.pg_database_size(d) AS
  (SELECT _l.block_size * _l.total_blocks FROM pragma_database_size() AS _l WHERE _l.database_name = 'sessiondb_data')::BIGINT;
CREATE MACRO memory.pgc.pg_size_pretty(n) AS
  CASE WHEN abs(n) < 10240 THEN n || ' bytes' WHEN abs(n) < 10485760 THEN round(n / 1024.0)::BIGINT || ' kB'
    WHEN abs(n) < 10737418240 THEN round(n / 1048576.0)::BIGINT || ' MB' WHEN abs(n) < 10995116277760 THEN round(n / 1073741824.0)::BIGINT || ' GB'
    ELSE round(n / 1099511627776.0)::BIGINT || ' TB' END;
CREATE MACRO memory.pgc.pg_relation_filenode(t) AS memory.pgc._oid(t);
CREATE MACRO memory.pgc.pg_relation_filepath(t) AS NULL::VARCHAR;
CREATE MACRO memory.pgc.pg_tablespace_location(t) AS '';
CREATE MACRO memory.pgc.pg_stat_get_live_tuples(t) AS (SELECT _l._tuples::BIGINT FROM memory.pgc._lookup_class AS _l WHERE _l._oid = t);
CREATE MACRO memory.pgc.pg_stat_get_dead_tuples(t) AS 0::BIGINT;
CREATE MACRO memory.pgc.pg_stat_get_numscans(t) AS 0::BIGINT;
CREATE MACRO memory.pgc.pg_stat_get_tuples_returned(t) AS 0::BIGINT;
CREATE MACRO memory.pgc.pg_stat_get_tuples_fetched(t) AS 0::BIGINT;
CREATE MACRO memory.pgc.pg_stat_get_last_analyze_time(t) AS NULL::TIMESTAMPTZ;
CREATE MACRO memory.pgc.pg_stat_get_last_vacuum_time(t) AS NULL::TIMESTAMPTZ;

-- The server.
CREATE MACRO memory.pgc.pg_encoding_to_char(e) AS CASE e WHEN 6 THEN 'UTF8' WHEN 0 THEN 'SQL_ASCII' ELSE '' END;
CREATE MACRO memory.pgc.pg_char_to_encoding(e) AS CASE WHEN lower(replace(e, '-', '')) IN ('utf8', 'unicode') THEN 6 WHEN lower(e) = 'sql_ascii' THEN 0 ELSE -1 END;
CREATE MACRO memory.pgc.getdatabaseencoding() AS 'UTF8';
CREATE MACRO memory.pgc.pg_client_encoding() AS 'UTF8';
CREATE MACRO memory.pgc.pg_is_in_recovery() AS false;
CREATE MACRO memory.pgc.pg_is_wal_replay_paused() AS false;
CREATE MACRO memory.pgc.inet_server_addr() AS NULL::VARCHAR;
CREATE MACRO memory.pgc.inet_server_port() AS NULL::INTEGER;
CREATE MACRO memory.pgc.inet_client_addr() AS NULL::VARCHAR;
CREATE MACRO memory.pgc.inet_client_port() AS NULL::INTEGER;
CREATE MACRO memory.pgc.pg_blocking_pids(p) AS []::INTEGER[];
CREATE MACRO memory.pgc.pg_jit_available() AS false;
CREATE MACRO memory.pgc.pg_indexam_has_property(am, p) AS
  CASE lower(p) WHEN 'can_order' THEN true WHEN 'can_unique' THEN true WHEN 'can_multi_col' THEN true WHEN 'can_exclude' THEN false WHEN 'can_include' THEN false END;
CREATE MACRO memory.pgc.pg_index_has_property(i, p) AS
  CASE lower(p) WHEN 'clusterable' THEN false WHEN 'index_scan' THEN true WHEN 'bitmap_scan' THEN false WHEN 'backward_scan' THEN false END;
CREATE MACRO memory.pgc.pg_index_column_has_property(i, n, p) AS
  CASE lower(p) WHEN 'asc' THEN true WHEN 'desc' THEN false WHEN 'nulls_first' THEN false WHEN 'nulls_last' THEN true WHEN 'orderable' THEN true
    WHEN 'distance_orderable' THEN false WHEN 'returnable' THEN true WHEN 'search_array' THEN true WHEN 'search_nulls' THEN true END;
CREATE MACRO memory.pgc.pg_get_keywords() AS TABLE
  SELECT keyword_name AS word, CASE keyword_category WHEN 'reserved' THEN 'R' WHEN 'type_function' THEN 'T' WHEN 'column_name' THEN 'C' ELSE 'U' END AS catcode,
    true AS barelabel, replace(keyword_category, '_', ' ') AS catdesc, NULL::VARCHAR AS baredesc FROM duckdb_keywords();
CREATE MACRO memory.pgc.pg_options_to_table(options) AS TABLE
  SELECT split_part(o, '=', 1) AS option_name, substr(o, instr(o, '=') + 1) AS option_value FROM (SELECT unnest(options::VARCHAR[]) AS o);
CREATE MACRO memory.pgc.aclexplode(acl) AS TABLE
  SELECT 10::INTEGER AS grantor, 10::INTEGER AS grantee, a AS privilege_type, false AS is_grantable FROM (SELECT unnest(acl::VARCHAR[]) AS a) WHERE false;

-- Arrays and quoting, as catalog queries use them.
CREATE MACRO memory.pgc._vector_upper(v, d) AS CASE WHEN len(v) > 0 THEN len(v)::INTEGER - 1 END;
CREATE MACRO memory.pgc._vector_lower(v, d) AS CASE WHEN len(v) > 0 THEN 0 END;
CREATE MACRO memory.pgc._vector_subscripts(v, d) AS generate_subscripts(v, d) - 1;
CREATE MACRO memory.pgc._vector_text(v) AS array_to_string(v, ' ');
CREATE MACRO memory.pgc._pg_expandarray(a) AS unnest(list_transform(a, lambda _v, _i: {'x': _v, 'n': _i::INTEGER}));
CREATE MACRO memory.pgc.quote_literal(s) AS
  CASE WHEN contains(s::VARCHAR, '\') THEN 'E''' || replace(replace(s::VARCHAR, '\', '\\'), '''', '''''') || ''''
    ELSE '''' || replace(s::VARCHAR, '''', '''''') || '''' END;
CREATE MACRO memory.pgc.quote_nullable(s) AS coalesce(memory.pgc.quote_literal(s), 'NULL');
CREATE MACRO memory.pgc.format(f) AS sessiondb_format(f, []),
  (f, a1) AS sessiondb_format(f, [a1::VARCHAR]),
  (f, a1, a2) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR]),
  (f, a1, a2, a3) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR]),
  (f, a1, a2, a3, a4) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR]),
  (f, a1, a2, a3, a4, a5) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR]),
  (f, a1, a2, a3, a4, a5, a6) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR, a6::VARCHAR]),
  (f, a1, a2, a3, a4, a5, a6, a7) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR, a6::VARCHAR, a7::VARCHAR]),
  (f, a1, a2, a3, a4, a5, a6, a7, a8) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR, a6::VARCHAR, a7::VARCHAR, a8::VARCHAR]),
  (f, a1, a2, a3, a4, a5, a6, a7, a8, a9) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR, a6::VARCHAR, a7::VARCHAR, a8::VARCHAR, a9::VARCHAR]),
  (f, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) AS sessiondb_format(f, [a1::VARCHAR, a2::VARCHAR, a3::VARCHAR, a4::VARCHAR, a5::VARCHAR, a6::VARCHAR, a7::VARCHAR, a8::VARCHAR, a9::VARCHAR, a10::VARCHAR]);
