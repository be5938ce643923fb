# Types as they are stored, described and printed.
create table all_types(b bool, i2 smallint, i4 int, i8 bigint, f4 real, f8 double precision, n numeric(12,2), n0 numeric(5), t text, vc varchar, vcn varchar(10), c5 char(5), d date, tm time, ts timestamp, tz timestamptz, iv interval, u uuid, by bytea, j json)
insert into all_types values (true, 1, 2, 3, 1.5, 2.5, 3.25, 7, 'text', 'vc', 'vcn', 'c', '2024-01-01', '10:00', '2024-01-01 10:00', '2024-01-01 10:00+00', '1 day 02:00', '7f3c1a2e-9b54-4d21-8f60-0123456789ab', '\x00ff', '{"a": 1}')
select b, i2, i4, i8, f4, f8, n, n0, t, d, tm, ts, tz, iv, u, by, j from all_types
\differs char-types types typmods
select vc, vcn from all_types
\differs char-types rows types typmods
select c5 from all_types
select array[b], array[i2], array[i8], array[f4], array[f8], array[n], array[t], array[d], array[ts], array[tz], array[iv], array[u] from all_types
select f4, f8 from (values (1e6::float4, 1e14::float8), (1e15::float4, 1e15::float8), (1e-5::float4, 1e-5::float8), (123456.7::float4, 0.1::float8), ('nan', 'infinity')) v(f4, f8)
\differs time-literals error
select iv from (values (interval '1 mon 2 days 03:04:05'), ('-1 days'), ('-1 mons +2 days -03:00:00.5'), ('0'), ('100 hours'), ('1 year 14 months')) v(iv)
select array['a b', '', 'NULL', null, 'x"y', 'back\slash', 'a,b', '{}']
select d from (values (date '0044-03-15 BC'), ('infinity'), ('-infinity'), ('9999-12-31'), ('0001-01-01')) v(d)
select n::numeric(20,5) from (values (0), (1.5), (-12345.678), (10000), (99990000.00001)) v(n)
\differs numeric-range error
select 100::numeric, 0.00001::numeric, 'NaN'::numeric, -0.0::numeric, 1e20::numeric
\differs time-literals error
select timetz '10:00+02', timetz '10:00:00.5-03:30'
\differs time-literals rows typmods
select '10:00'::time(0), timestamp(0) '2024-01-01 10:00:00.7', interval(0) '1.5 s'
\differs internal-types types
select 1::oid, 'a'::"char", 'x'::name
\differs numeric-results rows types
select sum(i8), sum(i4), sum(i2), sum(n), avg(i4), avg(n), avg(f8), count(*) from all_types
\differs numeric-results rows types
select i4 + i8, i2 + i2, i4 * 1.5, f4 + 1, n * 2, n + n, i4 / 2, n / 3, -i2, abs(i8) from all_types
\differs function-types rows types
select d + 1, d - d, ts - ts, ts + iv, tz - iv, d + iv, tm + iv, iv * 2, ts::date, d::timestamp, tz::date, ts::time from all_types
\differs bytea rows types
select t || vc, length(t), t = vc, i4::text, ts::text, tz::text, d::text, iv::text, f8::text, b::text, n::text, u::text, j::text, by::text from all_types
\differs char-types error
insert into all_types(vcn) values ('this is too long')
insert into all_types(i2) values (40000)
insert into all_types(n) values (12345678901.5)
insert into all_types(n) values (1.005) returning n
insert into all_types(i4) values (1.5) returning i4
insert into all_types(i4) values ('7') returning i4
insert into all_types(b) values ('on') returning b
\differs boolean-conditions error
insert into all_types(b) values (1)
insert into all_types(tz) values ('2024-05-05 10:00') returning tz
insert into all_types(ts) values ('2024-05-05T10:00:00Z') returning ts
insert into all_types(t) values (5) returning t
insert into all_types(i4) values ('') 
create table arrays(a int[], b text[], c numeric(5,2)[], d date[], e int[][])
insert into arrays values ('{1,2}', '{a,b}', '{1.5}', '{2024-01-01}', '{{1,2},{3,4}}')
insert into arrays values (array[3,null], array['x y'], array[2], array[date '2024-02-02'], null)
\differs nested-arrays rows types
select * from arrays
select a[1], b[1], array_length(a, 1), array_upper(a, 1), a || 5 from arrays order by a
select a from arrays where 2 = any(a)
select unnest(a) from arrays order by 1
\differs numeric-range rows
\args 5 | hello | 2.50 | t | 2024-01-01 | 2024-01-01 10:00:00+00 | {1,2} | {"a":1} | 1 day
select $1::int, $2::text, $3::numeric, $4::bool, $5::date, $6::timestamptz, $7::int[], $8::json, $9::interval
\differs parameter-types error
\args {1,2}
select i4 from all_types where i4 = any($1)
\args 2
select i4, t from all_types where i4 = $1 order by 1
\args 2024-01-01
select d from all_types where d >= $1 order by 1
\args NULL
select i4 from all_types where t = $1

# Zones that are distances, and the present time with a precision.
set timezone to 'UTC'
select timestamptz '2024-01-01 12:00+00' at time zone interval '2 hours', timestamp '2024-01-01 12:00' at time zone interval '-5 hours'
select extract(microseconds from current_timestamp(0))::int % 1000000, extract(microseconds from current_timestamp(3))::int % 1000
select extract(microseconds from localtimestamp(2))::int % 10000, extract(microseconds from localtime(1))::int % 100000, extract(microseconds from current_time(0))::int % 1000000
select pg_typeof(current_timestamp(0))::text, pg_typeof(localtimestamp(2))::text, pg_typeof(localtime(1))::text, pg_typeof(current_time(0))::text, current_timestamp(6) = current_timestamp
reset timezone
