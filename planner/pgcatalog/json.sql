-- Functions of Postgres's for json and jsonb that DuckDB lacks. What only the binary type has is printed
-- as it prints: with blanks, the shorter keys first, of equal keys the last.

CREATE MACRO memory.pgf._json_list(j, name) AS
  CASE json_type(j::JSON) WHEN 'ARRAY' THEN from_json(j::JSON, '["JSON"]') WHEN 'OBJECT' THEN error('[22023] cannot call ' || name || ' on a non-array')
    ELSE error('[22023] cannot call ' || name || ' on a scalar') END;
CREATE MACRO memory.pgf._json_pairs(j, name) AS
  CASE json_type(j::JSON) WHEN 'OBJECT' THEN map_entries(from_json(j::JSON, '"MAP(VARCHAR, JSON)"'))
    ELSE error('[22023] cannot call ' || name || ' on a non-object') END;
CREATE MACRO memory.pgf._json_array_elements(j) AS memory.pgf._json_list(j, 'json_array_elements');
CREATE MACRO memory.pgf._jsonb_array_elements(j) AS list_transform(memory.pgf._json_list(j, 'jsonb_array_elements'), lambda _e: sessiondb_jsonb(_e)::JSON);
CREATE MACRO memory.pgf._json_array_elements_text(j) AS list_transform(memory.pgf._json_list(j, 'json_array_elements_text'), lambda _e: _e ->> '$');
CREATE MACRO memory.pgf._jsonb_array_elements_text(j) AS list_transform(memory.pgf._jsonb_array_elements(j), lambda _e: _e ->> '$');
CREATE MACRO memory.pgf._json_object_keys(j) AS list_transform(memory.pgf._json_pairs(j, 'json_object_keys'), lambda _e: struct_extract(_e, 'key'));
CREATE MACRO memory.pgf._jsonb_object_keys(j) AS memory.pgf._json_object_keys(sessiondb_jsonb(j));
CREATE MACRO memory.pgf._json_each(j) AS memory.pgf._json_pairs(j, 'json_each');
CREATE MACRO memory.pgf._jsonb_each(j) AS list_transform(memory.pgf._json_pairs(sessiondb_jsonb(j), 'jsonb_each'), lambda _e: {'key': _e.key, 'value': sessiondb_jsonb(_e.value)::JSON});
CREATE MACRO memory.pgf._json_each_text(j) AS list_transform(memory.pgf._json_pairs(j, 'json_each_text'), lambda _e: {'key': _e.key, 'value': _e.value ->> '$'});
CREATE MACRO memory.pgf._jsonb_each_text(j) AS list_transform(memory.pgf._jsonb_each(j), lambda _e: {'key': _e.key, 'value': _e.value ->> '$'});

CREATE MACRO memory.pgf.json_array_length(j) AS system.main.json_array_length(j)::INTEGER, (j, path) AS system.main.json_array_length(j, path);
CREATE MACRO memory.pgf.jsonb_array_length(j) AS system.main.json_array_length(j)::INTEGER;
CREATE MACRO memory.pgf.json_strip_nulls(j) AS sessiondb_json_strip_nulls(j)::JSON;
CREATE MACRO memory.pgf.jsonb_strip_nulls(j) AS sessiondb_jsonb(sessiondb_json_strip_nulls(j))::JSON;
CREATE MACRO memory.pgf.jsonb_pretty(j) AS sessiondb_jsonb_pretty(j);
CREATE MACRO memory.pgf.jsonb_set(j, path, value) AS sessiondb_jsonb_edit('set', j, path::VARCHAR[], value)::JSON,
  (j, path, value, create_missing) AS sessiondb_jsonb_edit(CASE WHEN create_missing THEN 'set' ELSE 'replace' END, j, path::VARCHAR[], value)::JSON;
CREATE MACRO memory.pgf.jsonb_insert(j, path, value) AS sessiondb_jsonb_edit('before', j, path::VARCHAR[], value)::JSON,
  (j, path, value, insert_after) AS sessiondb_jsonb_edit(CASE WHEN insert_after THEN 'after' ELSE 'before' END, j, path::VARCHAR[], value)::JSON;
CREATE MACRO memory.pgf._json_path(j, path) AS sessiondb_json_path(j, path)::JSON;
CREATE MACRO memory.pgf._json_path_text(j, path) AS sessiondb_json_path(j, path)::JSON ->> '$';
CREATE MACRO memory.pgf._jsonb_path(j, path) AS sessiondb_jsonb(sessiondb_json_path(j, path))::JSON;
CREATE MACRO memory.pgf.to_jsonb(x) AS sessiondb_jsonb(to_json(x))::JSON;
CREATE MACRO memory.pgf.array_to_json(a) AS to_json(a);
CREATE MACRO memory.pgf._json_object(pairs VARCHAR[]) AS
  CASE WHEN len(pairs) % 2 = 1 THEN error('[2202E] array must have even number of elements')
    ELSE sessiondb_json_object(list_filter(pairs, lambda _e, _i: _i % 2 = 1), list_filter(pairs, lambda _e, _i: _i % 2 = 0))::JSON END;
CREATE MACRO memory.pgf._json_object2(keys VARCHAR[], vals VARCHAR[]) AS sessiondb_json_object(keys, vals)::JSON;
CREATE MACRO memory.pgf._json_build(j) AS sessiondb_json_build(j)::JSON;
CREATE MACRO memory.pgf._jsonb_build(j) AS sessiondb_jsonb(j)::JSON;
-- json_agg and json_object_agg over the list that the aggregate collects.
CREATE MACRO memory.pgf._json_agg(items) AS sessiondb_json_agg(to_json(items), regexp_matches(typeof(items), '(STRUCT\(.*\)|\])\[\]$'))::JSON;
CREATE MACRO memory.pgf._jsonb_agg(items) AS sessiondb_jsonb(to_json(items))::JSON;
CREATE MACRO memory.pgf._json_object_agg(items) AS sessiondb_json_object_agg(map_from_entries(items)::JSON)::JSON;
CREATE MACRO memory.pgf._jsonb_object_agg(items) AS sessiondb_jsonb(map_from_entries(items)::JSON)::JSON;
-- The operators of jsonb.
CREATE MACRO memory.pgf._jsonb_contains(a, b) AS sessiondb_jsonb_contains(a::VARCHAR, b::VARCHAR);
CREATE MACRO memory.pgf._jsonb_contained(a, b) AS sessiondb_jsonb_contains(b::VARCHAR, a::VARCHAR);
CREATE MACRO memory.pgf._jsonb_has_any(j, keys) AS sessiondb_jsonb_has(j, keys::VARCHAR[], false);
CREATE MACRO memory.pgf._jsonb_has_all(j, keys) AS sessiondb_jsonb_has(j, keys::VARCHAR[], true);
CREATE MACRO memory.pgf._jsonb_concat(a, b) AS sessiondb_jsonb_concat(a::VARCHAR, b::VARCHAR)::JSON;
CREATE MACRO memory.pgf._jsonb_remove(j, path) AS sessiondb_jsonb_edit('remove', j, path::VARCHAR[], 'null')::JSON;
CREATE MACRO memory.pgf._jsonb_minus(j, key) AS sessiondb_jsonb_without(j, [key::VARCHAR])::JSON,
  (j, keys VARCHAR[]) AS sessiondb_jsonb_without(j, keys)::JSON,
  (j, n INTEGER) AS sessiondb_jsonb_edit('remove', j, [n::VARCHAR], 'null')::JSON;
