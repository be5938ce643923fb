# Expressions and functions that clients and BI tools send.
select 1
select 1, 'a', null, 1.5, true
select 1 as "A", 2 AS B, 3 Foo
values (1,'a'),(2,'b')
select
;

-- only a comment
/* a /* nested */ comment */ select 1 -- and one more
select 1; select 2
select 1;; select 2;
\differs numeric-results rows types
select -7 / 2, -7 % 2, 7 / 2.0, 2 ^ 10, |/ 25.0, @ -5, 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 3, 16 >> 2
select 1 / 0
select 1 % 0
select 1.0 / 0
select 1e0 / 0
\differs numeric-results rows types
select 1::float8 / 3, 1::float4 / 3, 10::numeric / 4
\differs numeric-results rows types
select 0.1 + 0.2, 0.1::float8 + 0.2::float8, 1.10, 1.10 * 2, 1e10, 1e-7
select 2147483647 + 1
select 9223372036854775807 + 1
select 2147483648, 9223372036854775808
select 32767::smallint + 1::smallint
\differs numeric-results rows types
select abs(-3), ceil(1.5), floor(-1.5), round(2.5), round(1.2345, 2), trunc(1.99), sign(-3), mod(7, 3), power(2, 3), sqrt(16), exp(0.0), ln(1.0)
\differs function-types rows types
select round(2.5::float8), round(-0.5::float8), ceil(1.2::float8), floor(1.8::float8), round(7), abs(-1.5), trunc(-1.5, 0)
select greatest(1, 2, null), least(3, 1), coalesce(null, 2), nullif(1, 1), nullif(1, 2)
select greatest(1, 2.5), least('a', 'b')
\differs null-type types
select 'a' || 'b', 'a' || 1, 1 || 'a', 'a' || null
\differs function-types rows types
select length('äbc'), upper('abc'), lower('ABC'), initcap('hello world'), char_length('abc'), octet_length('äb')
select substring('hello' from 2 for 3), substring('hello', 2), substr('hello', 2, 2), left('hello', 2), right('hello', 2), left('hello', -1)
\differs function-types rows types
select position('l' in 'hello'), strpos('hello', 'lo'), replace('hello', 'l', 'L'), translate('abc', 'ab', 'xy'), overlay('hello' placing 'XX' from 2 for 3)
select trim('  a  '), ltrim('  a'), rtrim('a  '), btrim('xxaxx', 'x'), trim(both 'x' from 'xax'), trim(leading 'x' from 'xax'), lpad('7', 3, '0'), rpad('a', 3, '-')
select split_part('a,b,c', ',', 2), repeat('ab', 3), reverse('abc'), concat('a', null, 1), concat_ws('-', 'a', null, 'b'), md5('a'), ascii('a'), chr(65)
select format('%s is %I and %L', 'a', 'b c', 'd''e'), quote_ident('a b'), quote_literal('a''b'), quote_nullable(null), to_hex(255)
select 'abc' like 'a%', 'abc' like '_b_', 'abc' ilike 'A%', 'a_c' like 'a\_c', 'abc' not like 'b%', 'a%c' like 'a!%c' escape '!'
select 'abc' ~ 'b', 'abc' ~ '^b', 'ABC' ~* 'b', 'abc' !~ 'x', 'abc' !~* 'B', 'abc' similar to 'a%', 'abc' similar to 'b'
select regexp_replace('foobar', 'o', 'x'), regexp_replace('foobar', 'o', 'x', 'g'), regexp_match('foobar', 'o(b)'), regexp_split_to_array('a,b', ',')
\differs regexp-matches rows types
select regexp_matches('abc', '(b)')
select string_to_array('a,b,c', ','), array_to_string(array[1,2,null], ','), array_to_string(array['a',null], ',', '-')
select array[1,2,3], array['a','b'], array[1,2] || 3, array[1,2] || array[3], array_length(array[1,2,3], 1), cardinality(array[1,2])
select (array[1,2,3])[2], (array[1,2,3])[1:2], 2 = any(array[1,2]), 3 <> all(array[1,2]), array[1,2] @> array[1], array[1] <@ array[1,2], array[1] && array[1,2]
select array_append(array[1], 2), array_prepend(0, array[1]), array_cat(array[1], array[2]), array_position(array['a','b'], 'b'), array_remove(array[1,2,1], 1), unnest(array[1,2])
select '{1,2}'::int[], '{a,"b c",NULL}'::text[], '{{1,2},{3,4}}'::int[], array[[1,2],[3,4]], '{}'::int[]
select 'a' = any('{a,b}'), 1 = any('{1,2}')
\differs generate-series rows types
select generate_series(1, 3)
\differs generate-series rows types
select * from generate_series(1, 3)
\differs generate-series rows types
select * from generate_series(1, 3) g
\differs generate-series rows types
select * from generate_series(1, 3) as g(n)
\differs generate-series rows types
select n from generate_series(1, 10, 3) n
\differs generate-series rows types
select generate_series(3, 1, -1) as x
select * from generate_series('2024-01-01'::timestamp, '2024-01-02', '12 hours') d
select d::date from generate_series(date '2024-01-01', date '2024-01-03', interval '1 day') d
select * from unnest(array['a','b']) with ordinality as t(x, n)
\differs generate-series rows types
select * from pg_catalog.generate_series(1,32) pos(n)
select case when true then 1 else 2 end, case 1 when 1 then 'a' end, case when false then 1 end
select 1 in (1,2), 1 not in (2,3), null in (1), 1 between 0 and 2, null is null, 1 is not null, true is true, null::bool is unknown, 1 is distinct from null, 1 is not distinct from 1
select not true, true and null, false and null, true or null
\differs row-values rows types
select row(1, 'x')
select row(1, 2) = row(1, 2), (1, 2) < (1, 3)
select exists(select 1), (select 2), array(select 1 union select 2 order by 1)
\differs internal-types types
select current_user, session_user, user, current_database(), current_schema(), current_catalog
select version() ~ 'PostgreSQL', pg_backend_pid() > 0
\differs internal-types rows types
select pg_typeof(1), pg_typeof('x'), pg_typeof(1.5), pg_typeof(true), pg_typeof(now()), pg_typeof(date '2024-01-01'), pg_typeof(array[1])

# Times.
\differs function-types rows types
select date '2024-01-31' + 1, date '2024-03-01' - date '2024-02-01', date '2024-01-31' + interval '1 month', timestamp '2024-01-01 10:00' - timestamp '2024-01-01 09:00'
select timestamptz '2024-01-01 00:00+00', timestamp '2024-01-01', timestamptz '2024-06-01 12:00:00+02', time '10:00', time '10:00:00.5'
\differs intervals typmods
select interval '1 day', interval '1 year 2 mons', interval '1h', interval '90 min', interval '1.5 days', interval '-1 day', interval '1 day -01:00', interval '1' day, interval '2' hour, interval 'P1DT2H'
select interval '1 day' * 2, interval '1 hour' / 2, interval '1 day' + interval '1 hour', - interval '1 day'
select justify_hours(interval '27 hours'), justify_days(interval '35 days'), age(timestamp '2024-03-01', timestamp '2024-01-15')
select date_trunc('month', timestamp '2024-05-17 10:11:12'), date_trunc('day', timestamptz '2024-05-17 10:11:12+00'), date_trunc('week', timestamp '2024-05-17')
\differs date-trunc rows types
select date_trunc('day', date '2024-05-17')
select date_part('year', timestamp '2024-05-17'), date_part('dow', date '2024-05-17'), date_part('epoch', timestamp '1970-01-02')
select extract(year from date '2024-05-17'), extract(epoch from timestamp '1970-01-02 00:00:00.5'), extract(dow from timestamp '2024-05-19'), extract(isodow from timestamp '2024-05-19'), extract(week from date '2024-05-17'), extract(quarter from date '2024-05-17'), extract(second from time '10:00:01.5')
select extract(epoch from interval '1 hour'), extract(day from interval '3 days'), extract(hour from interval '25 hours')
select to_char(timestamp '2024-05-17 10:11:12', 'YYYY-MM-DD HH24:MI:SS'), to_char(date '2024-05-17', 'Mon DD'), to_char(123.456, '999.99'), to_char(7, '000')
select to_date('2024-05-17', 'YYYY-MM-DD'), to_timestamp('2024-05-17 10', 'YYYY-MM-DD HH24'), to_timestamp(0)
select to_number('123.4', '999.9')
select make_date(2024, 5, 17), make_time(10, 11, 12), make_timestamp(2024, 5, 17, 10, 11, 12), make_interval(days => 3)
select timestamp '2024-01-01 10:00' at time zone 'UTC', timestamptz '2024-01-01 10:00+00' at time zone 'Europe/Berlin'
select date '2024-01-01' < timestamp '2024-01-01 00:00:01', date '2024-01-01' = '2024-01-01', timestamp '2024-01-01' between '2023-12-31' and '2024-01-02'
select date '0044-03-15 BC', timestamp '0044-03-15 12:00 BC', date 'infinity', timestamp '-infinity', isfinite(date 'infinity')
select now() = current_timestamp, now()::date = current_date, localtimestamp is not null
select (timestamp '2024-01-01', timestamp '2024-01-03') overlaps (timestamp '2024-01-02', timestamp '2024-01-04')
select date_bin('15 minutes', timestamp '2024-01-01 10:17', timestamp '2024-01-01')
\differs time-literals error
select 'epoch'::timestamp, 'January 8, 1999'::date, '20240517'::date, '2024-137'::date
select '2024-02-30'::date
select 'x'::timestamp
select '25:00'::time

# Casts.
select 1::text, '1'::int, 1.5::int, 2.5::int, '1.5'::numeric, 1::bool, 'yes'::bool, 'f'::bool, true::int, true::text
select 1.23456::numeric, 12345678901234567890::numeric, 1.23456::numeric(6,2), 1::numeric(5,2), 1.5::numeric(10)
\differs char-types rows types typmods
select 'toolong'::varchar(3), 'ab'::char(4), 'abc'::char, 'x'::name
select '\x6162'::bytea, 'ab'::bytea, '\x6162'::bytea || '\x63'::bytea, length('\x6162'::bytea), encode('abc', 'hex'), decode('616263', 'hex'), encode('abc', 'base64')
select '7f3c1a2e-9b54-4d21-8f60-0123456789ab'::uuid, '7F3C1A2E9B544D218F600123456789AB'::uuid
select cast('2024-01-01' as date), cast(1 as bigint), '1'::bigint, '1'::smallint, '1.5'::real, '1.5'::double precision, 'NaN'::float8, '-Infinity'::float8
\differs functions rows types typmods
select B'101', X'1F', b'10'::bit(4), '101'::varbit
select 'abc'::int
select ''::int
select '99999999999'::int
select 99999999999::int
select 40000::smallint
select 'x'::bool
select 'zz'::uuid
select '1e400'::float8
select 123456::numeric(4,2)
select '{1,2'::int[]
select 'not json'::json
select 1::date
select now()::int

# json.
select '{"a":1,"b":[1,2]}'::json, '{"a":1}'::json -> 'a', '{"a":"x"}'::json ->> 'a', '[1,2]'::json -> 0, '{"a":{"b":2}}'::json #> '{a,b}', '{"a":{"b":2}}'::json #>> '{a,b}'
select json_build_object('a', 1), json_build_array(1, 'x'), to_json('a'::text), json_array_length('[1,2]'), json_typeof('[1]')
select row_to_json(t) from (select 1 as a, 'x' as b) t
select json_agg(x) from (values (1),(2)) t(x)
select * from json_each('{"a":1,"b":2}')
select * from json_array_elements('[1,2]')
select '{"a":1}'::json ->> 'b', '{"a":1}'::jsonb ? 'a', '{"a":1}'::jsonb @> '{"a":1}'
\differs jsonb rows types
select '{"a": 1}'::jsonb

# Ours to say, not DuckDB's.
\differs explain names rows tag types
explain (costs off) select 1
select 1 for update
\differs internal-types rows types
select pg_sleep(0)
select txid_current() > 0
\differs internal-types rows
select set_config('application_name', 'x', false), current_setting('application_name')
\differs internal-types rows types
select 'pg_namespace'::regclass::oid = (select oid from pg_class where relname = 'pg_namespace'), 'int4'::regtype, 'pg_class'::regclass
select random() < 1, gen_random_uuid() is not null
\differs numeric-results rows types
select width_bucket(5.35, 0.024, 10.06, 5), div(7, 2), gcd(12, 18), lcm(4, 6), factorial(5), pi(), degrees(pi()), cbrt(27.0)
\differs functions error
select num_nonnulls(1, null), hashtext('a') is not null
select string_agg(x, ',' order by x) from (values ('b'),('a')) t(x)
select 'a' collate "C" < 'b', 'a' < 'B', 'ä' > 'z'
select U&'d\0061t\+000061', E'a\tb\u00e9', $$dollar$$, $x$a$$b$x$, 'it''s', 'a'
 'b'

# SELECT without a list: rows without columns.
create table few (a int, b text)
insert into few values (1, 'x'), (2, 'y')
select from few
select from few where a = 1
select all from few order by a limit 1
select where false
select where exists (select from few)
\args 2
select from few where a = $1
select from few union all select from few
select count(*) from (select from few) s
select a from few where exists (select from few f where f.a = few.a and f.a = 1)
select exists (select), not exists (select from few where a = 3)
with x as (select from few) select count(*) from x
select distinct from few
> P s select from few
> D S s
> B - s [] [] []
> D P -
> E - 1
> E - 0
> S
> Q select from few; select 1
\differs empty-select-list error
select (select from few limit 1)
\differs empty-select-list error
insert into few select from few
