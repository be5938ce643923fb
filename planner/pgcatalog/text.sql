-- Functions of Postgres's for texts, bytes and regular expressions that DuckDB lacks, or has for fewer
-- arguments. What is called sessiondb_… is computed in Go. A name in a macro is looked for in its own
-- schema first, so DuckDB's function of the same name has system.main before it.

CREATE MACRO memory.pgf.lpad(s, n) AS system.main.lpad(s, n, ' '), (s, n, fill) AS system.main.lpad(s, n, fill);
CREATE MACRO memory.pgf.rpad(s, n) AS system.main.rpad(s, n, ' '), (s, n, fill) AS system.main.rpad(s, n, fill);
CREATE MACRO memory.pgf.overlay(s, new, start) AS left(s, start - 1) || new || substr(s, start + length(new)),
  (s, new, start, n) AS left(s, start - 1) || new || substr(s, start + n);
CREATE MACRO memory.pgf._split(s, delimiter) AS
  CASE WHEN s::VARCHAR = '' THEN []::VARCHAR[] WHEN delimiter::VARCHAR IS NULL THEN regexp_extract_all(s::VARCHAR, '(?s:.)')
    WHEN delimiter = '' THEN [s::VARCHAR] ELSE string_split(s, delimiter) END;
CREATE MACRO memory.pgf.string_to_array(s, delimiter) AS memory.pgf._split(s, delimiter),
  (s, delimiter, null_string) AS list_transform(memory.pgf._split(s, delimiter), lambda _e: nullif(_e, null_string));
CREATE MACRO memory.pgf.parse_ident(s) AS from_json(sessiondb_parse_ident(s, true), '["VARCHAR"]'),
  (s, strict) AS from_json(sessiondb_parse_ident(s, strict), '["VARCHAR"]');
CREATE MACRO memory.pgf.octet_length(s) AS strlen(s::VARCHAR)::INTEGER, (b BLOB) AS system.main.octet_length(b)::INTEGER, (b BIT) AS system.main.octet_length(b)::INTEGER;
CREATE MACRO memory.pgf.normalize(s) AS nfc_normalize(s);

CREATE MACRO memory.pgf._regexp_groups(s, pattern, options) AS from_json(sessiondb_regexp_matches(s, pattern, options), '[["VARCHAR"]]');
CREATE MACRO memory.pgf.regexp_match(s, pattern) AS memory.pgf._regexp_groups(s, pattern, '')[1]::VARCHAR[],
(s, pattern, options) AS
  CASE WHEN contains(options, 'g') THEN error('[22023] regexp_match() does not support the "global" option')
    ELSE memory.pgf._regexp_groups(s, pattern, options)[1]::VARCHAR[] END;
CREATE MACRO memory.pgf._regexp_matches(s, pattern) AS memory.pgf._regexp_groups(s, pattern, ''),
  (s, pattern, options) AS memory.pgf._regexp_groups(s, pattern, options);
CREATE MACRO memory.pgf.regexp_split_to_array(s, pattern) AS from_json(sessiondb_regexp_split(s, pattern, ''), '["VARCHAR"]'),
  (s, pattern, options) AS from_json(sessiondb_regexp_split(s, pattern, options), '["VARCHAR"]');
CREATE MACRO memory.pgf.regexp_like(s, pattern) AS sessiondb_regexp_count(s, pattern, 1, '') > 0,
  (s, pattern, options) AS sessiondb_regexp_count(s, pattern, 1, options) > 0;
CREATE MACRO memory.pgf.regexp_count(s, pattern) AS sessiondb_regexp_count(s, pattern, 1, '')::INTEGER,
  (s, pattern, start) AS sessiondb_regexp_count(s, pattern, start, '')::INTEGER,
  (s, pattern, start, options) AS sessiondb_regexp_count(s, pattern, start, options)::INTEGER;
CREATE MACRO memory.pgf.regexp_substr(s, pattern) AS sessiondb_regexp_substr(s, pattern, 1, 1, 0, ''),
  (s, pattern, start) AS sessiondb_regexp_substr(s, pattern, start, 1, 0, ''),
  (s, pattern, start, n) AS sessiondb_regexp_substr(s, pattern, start, n, 0, ''),
  (s, pattern, start, n, options) AS sessiondb_regexp_substr(s, pattern, start, n, 0, options),
  (s, pattern, start, n, options, subexpr) AS sessiondb_regexp_substr(s, pattern, start, n, subexpr, options);
CREATE MACRO memory.pgf.regexp_instr(s, pattern) AS sessiondb_regexp_instr(s, pattern, 1, 1, 0, 0, '')::INTEGER,
  (s, pattern, start) AS sessiondb_regexp_instr(s, pattern, start, 1, 0, 0, '')::INTEGER,
  (s, pattern, start, n) AS sessiondb_regexp_instr(s, pattern, start, n, 0, 0, '')::INTEGER,
  (s, pattern, start, n, endoption) AS sessiondb_regexp_instr(s, pattern, start, n, endoption, 0, '')::INTEGER,
  (s, pattern, start, n, endoption, options) AS sessiondb_regexp_instr(s, pattern, start, n, endoption, 0, options)::INTEGER,
  (s, pattern, start, n, endoption, options, subexpr) AS sessiondb_regexp_instr(s, pattern, start, n, endoption, subexpr, options)::INTEGER;
-- The forms with a place to start from; the others are DuckDB's.
CREATE MACRO memory.pgf._regexp_replace(s, pattern, new, start) AS sessiondb_regexp_replace(s, pattern, new, start, 1, ''),
  (s, pattern, new, start, n) AS sessiondb_regexp_replace(s, pattern, new, start, n, ''),
  (s, pattern, new, start, n, options) AS sessiondb_regexp_replace(s, pattern, new, start, n, options);
-- SUBSTRING(s FROM pattern): what its first group matches, or all of it.
CREATE MACRO memory.pgf._substring_of(s, pattern) AS memory.pgf._regexp_groups(s, pattern, '')[1][1];
CREATE MACRO memory.pgf._substring_similar(s, pattern, escape) AS sessiondb_similar_part(s, pattern, escape);

CREATE MACRO memory.pgf.encode(b) AS system.main.encode(b), (b, format) AS sessiondb_encode(b::BLOB, format);
CREATE MACRO memory.pgf.decode(s) AS system.main.decode(s), (s, format) AS sessiondb_decode(s, format);
CREATE MACRO memory.pgf.convert_from(b, encoding) AS system.main.decode(b::BLOB);
CREATE MACRO memory.pgf.convert_to(s, encoding) AS system.main.encode(s::VARCHAR);
CREATE MACRO memory.pgf.sha224(b) AS sessiondb_sha(b::BLOB, 224);
CREATE MACRO memory.pgf.sha384(b) AS sessiondb_sha(b::BLOB, 384);
CREATE MACRO memory.pgf.sha512(b) AS sessiondb_sha(b::BLOB, 512);
-- The bytes of a bytea, where DuckDB's function of the name without an underscore takes a text.
CREATE MACRO memory.pgf._length(b) AS octet_length(b)::INTEGER;
CREATE MACRO memory.pgf.get_byte(b, n) AS sessiondb_get_bits(b::BLOB, n, 8)::INTEGER;
CREATE MACRO memory.pgf.set_byte(b, n, value) AS sessiondb_set_bits(b::BLOB, n, value, 8);

-- The planner notifies when it meets the call; this is the call's value.
CREATE MACRO memory.pgf.pg_notify(channel, payload) AS '';
CREATE MACRO memory.pgf._pg_listening_channels() AS coalesce(getvariable('pgc_channels')::VARCHAR[], []);
