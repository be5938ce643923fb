-- Functions of Postgres's for arrays that DuckDB lacks, or has for fewer arguments. An array of arrays is
-- one of several dimensions; how many is said by its type.

CREATE MACRO memory.pgf.array_ndims(a) AS
  CASE WHEN len(a) > 0 THEN len(string_split(regexp_extract(typeof(a), '(\[\d*\])+$'), '[')) - 1 END::INTEGER;
-- Of the dimensions below the first only the text of the array tells without knowing its type.
CREATE MACRO memory.pgf._array_below(a, d) AS system.main.json_array_length(to_json(a), '$' || repeat('[0]', d - 1))::INTEGER;
CREATE MACRO memory.pgf.array_length(a) AS system.main.array_length(a),
  (a, d) AS CASE WHEN d = 1 THEN nullif(len(a), 0)::INTEGER
    WHEN d > 1 AND d <= memory.pgf.array_ndims(a) THEN memory.pgf._array_below(a, d::BIGINT) END;
CREATE MACRO memory.pgf.array_upper(a, d) AS memory.pgf.array_length(a, d);
CREATE MACRO memory.pgf.array_lower(a, d) AS CASE WHEN memory.pgf.array_length(a, d) IS NOT NULL THEN 1 END;
CREATE MACRO memory.pgf.array_dims(a) AS
  nullif(system.main.array_to_string(list_transform(range(1, memory.pgf.array_ndims(a) + 1), lambda _d: '[1:' || memory.pgf.array_length(a, _d) || ']'), ''), '');
CREATE MACRO memory.pgf.cardinality(a) AS
  CASE WHEN a IS NULL THEN NULL WHEN memory.pgf.array_ndims(a) > 1
    THEN list_product(list_transform(range(1, memory.pgf.array_ndims(a) + 1), lambda _d: memory.pgf.array_length(a, _d))) ELSE len(a) END::INTEGER;
CREATE MACRO memory.pgf.array_fill(v, dimensions) AS
  CASE WHEN len(dimensions) > 1 THEN error('[0A000] array_fill makes arrays of one dimension') ELSE list_transform(range(coalesce(dimensions[1], 0)::BIGINT), lambda _i: v) END;
CREATE MACRO memory.pgf.array_positions(a, v) AS list_filter(range(1, len(a) + 1), lambda _i: a[_i] IS NOT DISTINCT FROM v)::INTEGER[];
CREATE MACRO memory.pgf.array_position(a, v) AS memory.pgf.array_positions(a, v)[1],
  (a, v, start) AS list_filter(memory.pgf.array_positions(a, v), lambda _i: _i >= start)[1];
CREATE MACRO memory.pgf.array_replace(a, old, new) AS list_transform(a, lambda _e: CASE WHEN _e IS NOT DISTINCT FROM old THEN new ELSE _e END);
CREATE MACRO memory.pgf.array_remove(a, v) AS list_filter(a, lambda _e: _e IS DISTINCT FROM v);
CREATE MACRO memory.pgf.array_to_string(a, delimiter) AS system.main.array_to_string(a, delimiter),
  (a BOOLEAN[], delimiter) AS system.main.array_to_string(list_transform(a, lambda _e: left(_e::VARCHAR, 1)), delimiter),
  (a, delimiter, null_string) AS system.main.array_to_string(list_transform(a, lambda _e: coalesce(_e::VARCHAR, null_string)), delimiter);
-- Of no elements ANY is false and ALL is true; where NULL is among them, it is NULL unless another one decides.
CREATE MACRO memory.pgf._any(a) AS CASE WHEN list_contains(a, true) THEN true WHEN a IS NULL OR len(list_filter(a, lambda _e: _e IS NULL)) > 0 THEN NULL ELSE false END;
CREATE MACRO memory.pgf._all(a) AS CASE WHEN list_contains(a, false) THEN false WHEN a IS NULL OR len(list_filter(a, lambda _e: _e IS NULL)) > 0 THEN NULL ELSE true END;
CREATE MACRO memory.pgf.trim_array(a, n) AS
  CASE WHEN n < 0 OR n > len(a) THEN error('[2202E] number of elements to trim must be between 0 and ' || len(a)) ELSE a[:len(a) - n] END;
