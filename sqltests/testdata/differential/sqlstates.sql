# One statement at least for each SQLSTATE that users meet, with all that Postgres says of it.
create table t(a int primary key, b text not null, c int check (c > 0), d int unique)
create table child(a int references t(a), b int constraint positive check (b > 0), constraint two unique (a, b))
create table nokey(a int, b text)
insert into t values (1, 'x', 1, 1), (2, 'y', 2, 2)
insert into child values (1, 1)
insert into nokey values (1, 'x'), (null, null)
create view vw as select a, b from t
create sequence seq

# 22: data
select 'x'::int
select 'x'::bigint
select 'x'::smallint
select 'x'::numeric
select 'x'::float8
select 'x'::bool
select 'x'::uuid
select 'x'::date
select 'x'::timestamp
select 'x'::timestamptz
select 'x'::time
select 'x'::interval
select '{'::json
select '{1,x}'::int[]
select '{1'::int[]
select '\x0'::bytea
select '\xzz'::bytea
select '99999'::smallint
select '99999999999'::int
select '99999999999999999999'::bigint
select '1e400'::float8
select '1e40'::float4
select '12345'::numeric(3,1)
select 12345::numeric(3,1)
select 1e400::float8
select 2147483647 + 1
select 2147483647 * 2
select (-2147483647 - 2)
select 9223372036854775807 + 1
select 32767::smallint + 1::smallint
\differs integer-limits error
select abs(-2147483648)
select 1 / 0
select 1 % 0
select 1.0 / 0
select 1::float8 / 0
select mod(1, 0)
select sqrt(-1)
select ln(0)
select ln(-1)
select log(0)
select power(0, -1)
select power(-1, 0.5)
select exp(1000)
select '2024-02-30'::date
select '2024-13-01'::date
select '99999999-01-01'::date
select '25:00'::time
select make_date(2024, 2, 30)
\differs time-ranges error
select date '2024-01-01' + interval '999999999 years'
select to_date('2024-99-01', 'YYYY-MM-DD')
select extract(nope from now())
select date_trunc('nope', now())
select now() at time zone 'Nowhere/City'
\differs interval-units error
select interval '1 fortnight'
select chr(-1)
select chr(99999999)
select substring('abc', 1, -1)
select left('abc', 1), repeat('a', -1)
select decode('zz', 'hex')
select decode('a', 'nope')
select encode('a', 'nope')
select 'a' like 'a\'
select 'a' ~ '('
select regexp_replace('a', '[', 'b')
select 'a' similar to '('
select width_bucket(1, 1, 1, 5)
select width_bucket(1, 0, 1, 0)
select a from t limit -1
select a from t offset -1
select ('[1]'::json)->'a'
select json_array_length('{}')
select generate_series(1, 2, 0)
select to_timestamp('x', 'YYYY')
select ascii('')
select array_length(array[1], 0)
select (array[1,2])[3]
select string_to_array(null, ',')

# 21, 23: cardinality and constraints
select (select a from t)
select a from t where a = (select a from t)
insert into t values (1, 'x', 1, 3)
insert into t values (3, 'x', 1, 1)
\differs constraint-details detail
insert into t values (3, null, 1, 3)
\differs constraint-details detail
insert into t(a) values (3)
\differs constraint-details detail
insert into t values (3, 'x', 0, 3)
\differs constraint-details detail
insert into t values (3, 'x', -5, null)
\differs constraint-details detail
insert into t values (null, 'x', 1, 3)
insert into t select 1, 'x', 1, 9
\differs constraint-details detail
insert into t select 9, null, 1, 9
\differs constraint-details detail
insert into child values (9, 1)
\differs constraint-names fields
insert into child values (1, 1)
\differs constraint-names detail fields
insert into child values (2, 0)
\differs foreign-keys error
update t set a = 2 where a = 1
\differs constraint-details detail
update t set b = null
\differs constraint-details detail
update t set c = 0
\differs foreign-keys error
update t set d = 2 where a = 1
\differs constraint-details detail
update child set a = 77
\differs constraint-names detail fields
delete from t where a = 1
\differs constraint-names detail fields
delete from t
truncate t
drop table t
\differs constraint-details detail
insert into t values (1, 'x', 1, 1) on conflict (a) do update set b = null
insert into t values (1, 'x', 1, 1) on conflict (b) do nothing
insert into t values (5, 'x', 1, 5), (5, 'y', 1, 6) on conflict (a) do update set b = 'z'
delete from t where a = 5
\differs on-constraint error
insert into t values (4, 'x', 1, 4) on conflict on constraint nope do nothing
\differs constraint-names fields
alter table nokey add primary key (a)
alter table nokey alter column a set not null
\differs alter-options error
alter table nokey add constraint c check (a > 100)
\differs alter-options error
alter table t drop constraint nope
\differs expression-index error
create unique index u on nokey((1))
create unique index t_dup on child(b)

# 25: transactions
begin
begin
rollback
commit
begin read only
insert into t values (9, 'x', 1, 9)
rollback
begin read only
create table x(a int)
rollback
begin read only
update t set b = 'x'
rollback
begin read only
delete from t
rollback
begin read only
truncate child
rollback
begin read only
\differs sequences error status
select nextval('seq')
rollback
begin read only
copy t from stdin
rollback
begin read only
create temp table x(a int)
insert into x values (1)
rollback
begin read only
drop table nokey
rollback
begin read only
comment on table t is 'x'
rollback
begin read only
select * into y from t
rollback
begin read only
create index on t(b)
rollback
begin read only
\differs read-only error status
merge into t using child on t.a = child.a when matched then do nothing
rollback
begin read only
vacuum
rollback
begin
vacuum
rollback
begin
\differs read-only error status
checkpoint
rollback
begin
select nope
select 1
rollback
begin
select nope
savepoint a
rollback
begin
select nope
declare c cursor for select 1
rollback
begin
select nope
copy t to stdout
rollback
begin
select nope
set application_name = 'x'
show application_name
rollback
begin
select nope
listen x
rollback
begin
select nope

select nope
commit
set transaction read only
savepoint a
release a
rollback to a
lock t

# 26, 34, 3B, 3D, 3F, 40
execute nope
deallocate nope
begin
fetch nope
rollback
begin
close nope
rollback
move nope
begin
release nope
rollback
select * from nope.t
\differs qualified-names error
select nope.f(1)
create table nope.x(a int)
drop schema nope
\differs qualified-names error
select * from otherdb.public.t
create schema public
create schema pg_mine

# 42: syntax and names
selec 1
select from where
select 1 from
select * from t where
select * from t order
select * from t group by
select a b c from t
insert into
insert into t valus (1)
update t st a = 1
delete t
create tabl x(a int)
create table (a int)
create table x(a)
\differs duckdb-syntax error
create table y1(a int,)
drop table
alter table t
select (1
select 1)
select 'a
select * from t t2 t3
select * from nothere
select * from t, nothere
select * from public.nothere
insert into nothere values (1)
insert into nothere(a) select 1
update nothere set a = 1
delete from nothere
truncate nothere
drop table nothere
drop view nothere
drop sequence nothere
drop index nothere
drop type nothere
\differs server-programs error
drop function nothere(int)
drop materialized view nothere
drop schema nothere
alter table nothere add column b int
alter table nothere rename to x
alter view nothere rename to x
\differs alter-options error
alter index nothere rename to x
\differs alter-options error
alter sequence nothere restart
create index on nothere(a)
create view v2 as select * from nothere
create table x as select * from nothere
copy nothere to stdout
copy nothere from stdin
comment on table nothere is 'x'
lock table nothere
refresh materialized view nothere
vacuum nothere
analyze nothere
select 'nothere'::regclass
select 'nothere'::regtype
select nextval('nothere')
\differs sequences error
select currval('seq')
select currval('nothere')
\differs sequences error
select lastval()
\differs sequences error
select setval('nothere', 1)
create table t(a int)
create view vw as select 1
create view t as select 1
create table vw(a int)
\differs namespaces error
create sequence t
\differs namespaces error
create index t on t(a)
\differs schema-elements error
create schema nope authorization tester; create schema nope
create type mood as enum ('a'); create type mood as enum ('b')
select nope from t
select t.nope from t
select x.a from t
select t2.a from t t1
select t.a from t t1
select a from t t1, t t2
select t1.a from t t1, t t1
\differs where-aliases error
select a as x from t where x = 1
\differs order-aliases error
select a as x, b as x from t order by x
select * from t join child using (nope)
select * from t join child on t.nope = child.a
insert into t(nope) values (1)
insert into t(a, a) values (1, 2)
insert into t(a, b) values (1)
insert into t(a) values (1, 2)
insert into t values (1, 2, 3, 4, 5)
insert into t(a) select 1, 2
insert into t(a, b) select 1
update t set nope = 1
update t set a = 1, a = 2
update t set a = nope
delete from t where nope = 1
\differs multiple-assignment error
update t set (a, b) = (1)
select nope(1)
select lower(1, 2)
select lower()
select sum('x'::text)
select sum(b) from t
\differs lenient-syntax error
select max(a, 2) from t
\differs lenient-syntax error
select count() from t
select nope from generate_series(1, 2)
select a + b from t
select b + 1 from t
select 'a'::text + 1
select true + 1
select -b from t
select b || 1, b || a from t
select a || b from t
select a like 'x' from t
\differs boolean-conditions error
select not a from t
\differs boolean-conditions error
select a and true from t
\differs boolean-conditions error
select a from t where a
\differs boolean-conditions error
select a from t where b
\differs boolean-conditions error
select a from t having a
\differs boolean-conditions error
select case when a then 1 end from t
\differs type-mixing error
select case when true then 1 else 'x' end
\differs clause-position position
select coalesce(a, b) from t
\differs type-mixing error
select nullif(a, b) from t
select greatest(a, b) from t
select a in ('x') from t
\differs type-mixing error
select a in (b) from t
\differs type-mixing error
select a = b from t
select a = 'x' from t
select a between 'x' and 'y' from t
\differs type-mixing error
select a from t union select b from t
\differs type-mixing error
select 1 union select 'x'
select 1 union select 1, 2
\differs type-mixing error
select 1 intersect select 'x'::text
select a from t union select a from t order by b
values (1), ('x')
values (1), (1, 2)
select 1::nosuchtype
select cast(1 as nosuchtype)
create table x(a nosuchtype)
create table x(a int(3))
\differs char-types error
create table y3(a varchar(0))
\differs definition-position position
create table x(a numeric(0))
\differs definition-position position
create table x(a numeric(5000))
\differs numeric-range error
create table y2(a numeric(39))
\differs char-types error
create table y4(a text(3))
create table x(a int, a int)
\differs definition-position position
create table x(a int primary key, b int primary key)
\differs definition-position position
create table x(a int, primary key (nope))
\differs definition-position position
create table x(a int, unique (nope))
\differs definition-position position
create table x(a int check (nope > 0))
create table x(a int references nothere)
create table x(a int references nokey)
create table x(a int references t(b))
create table x(a int references t(nope))
create table x(a text references t(a))
\differs definition-checks error
create table y6(a int default 'x')
create table x(a int default nope)
\differs definition-position position
create table x(a int default (select 1))
\differs definition-position position
create table x(a int check (a > (select 1)))
create table x(a int default sum(1))
\differs lenient-syntax error
create table y5(a int not null null)
\differs create-like error
create table x(like nothere)
alter table t add column a int
alter table t drop column nope
alter table t rename column nope to x
alter table t rename a to b
alter table t rename to child
alter table t alter column nope type text
\differs definition-checks error
alter table t alter column b type int
alter table t alter column nope set default 1
alter table t alter column nope set not null
alter table t alter column nope drop not null
alter table vw add column x int
\differs alter-options error
alter table t add constraint positive check (nope > 1)
drop table vw
drop view t
\differs namespaces error
drop sequence t
\differs namespaces error
drop index t
\differs namespaces error
drop table t, nothere
alter view t rename to x
create index on t(nope)
create index on vw(a)
\differs view-columns error
create or replace view vw as select a from t
\differs view-columns error
create or replace view vw as select b, a from t
\differs view-columns error
create view v3(a, a) as select 1, 2
create view v3(a, b, c) as select 1
create table c3(a, b, c) as select 1
\differs view-columns error
create view v3 as select 1, 2
\differs view-columns error
create view v3 as select 1 as a, 2 as a
\differs updatable-views error
insert into vw values (1, 'x')
\differs updatable-views error
update vw set a = 1
\differs updatable-views error
delete from vw
truncate vw
\differs updatable-views error
copy vw from stdin
\differs updatable-views error
copy vw to stdout
insert into t values (1, 'x') returning nope
\differs updatable-views error
insert into seq values (1)
\differs row-locks error
select * from t for update of nope
select a, count(*) from t
select a from t group by b
select a from t group by nope
select a from t group by 9
select a from t order by 9
select a from t order by 0
select a from t order by 'x'
\differs distinct-order error
select distinct a from t order by b
\differs distinct-order error
select distinct on (a) a, b from t order by b
select a from t where count(*) > 1
select a from t where a = sum(1)
select sum(sum(a)) from t
select sum(count(*) over ()) from t
select a from t group by sum(a)
\differs clause-position position
select a from t having b = 'x'
select a from t where row_number() over () = 1
\differs clause-position position
select row_number() over (order by row_number() over ()) from t
select a from t group by row_number() over ()
\differs window-calls error
select row_number() from t
select lower('x') over () from t
select sum(a) over w from t
\differs clause-position position
select sum(a) over w from t window w as (order by a), w as (order by b)
select sum(a) over (rows between 1 following and 1 preceding) from t
select sum(a) over (rows between unbounded following and current row) from t
\differs boolean-conditions error
select sum(a) filter (where a) from t
select lower('x') filter (where true)
\differs clause-position position
select count(distinct *) from t
select lower(distinct 'x')
select sum(*) from t
select * 
select t.* from child
select nope.* from t
select count(t.*) from t
select (select 1, 2)
select 1 in (select 1, 2)
\differs row-sizes error
select (1, 2) = (select 1)
select exists (select nope from t)
select (select nope)
select array[1, 'x']
\differs clause-position position
select array[1, array[2]]
\differs lenient-syntax error
select array[]
\differs subscripts error
select (1)[1]
\differs duckdb-syntax error
select 'x'[1]
\differs subscripts error
select a[1] from t
\differs row-sizes error
select row(1, 2) = row(1)
\differs row-sizes error
select (1, 2) = (1, 2, 3)
select null::int::text::nope
\differs lenient-syntax error
select * from (select 1)
select * from (values (1)) v(a, b)
select * from t as x(a, b, c, d, e)
select * from t join child
select * from t cross join child on true
select * from t natural join child on true
select * from t left join child
with x as (select 1), x as (select 2) select 1
\differs with-rules error
with x(a, b) as (select 1) select * from x
\differs with-rules error
with x as (select * from x) select * from x
\differs with-rules error
with recursive x as (select * from x) select * from x
\differs with-rules error
with recursive x(n) as (select 1 union all select n from y) select 1
select a from t limit 'x'
\differs limit-expressions error
select a from t limit a
select a from t limit 1 limit 2
select a from t fetch first 1 rows
select a from t limit 1.5
select a from t tablesample nope (10)
select $1
\differs parameter-types error
select $1 + $2
select * from t where a = $1
\differs parameter-types error
select $999999
select now
\differs lenient-syntax error
select current_date()
\differs lenient-syntax error
select current_user()
\differs lenient-syntax error
select user()
select interval 'x'
select date
select timestamp 'x'
select int 'x'
select numeric 'x'
select text
select position('a', 'b')
select extract(year, now())
select trim(both from)
select cast(1)
select cast(1 as)
select 1 as
select 1 2
select 'a' 'b'
\differs null-type types
select null + 1, null || 'a', null = null, not null
explain nope
explain select nope
\differs lenient-syntax error
explain (nope) select 1
explain analyze nope
call nope()
call nope(1)
\differs server-programs error
do 'x'
drop function nope
cluster nothere
reindex table nothere
select pg_sleep('x')
select setseed(2)
select random(1)
select nope::text
drop schema public

# What others do, and what there is too much of.
create table busy (a int)
@b begin
@b insert into busy values (1)
vacuum busy
analyze busy
@b lock table busy in access exclusive mode
set lock_timeout = '50ms'
insert into busy values (2)
lock table busy in access exclusive mode nowait
@b rollback
reset lock_timeout
set statement_timeout = '50ms'
select count(*) from generate_series(1, 100000000) a, generate_series(1, 1000) b
reset statement_timeout
create sequence unused
select currval('unused')
begin
create index concurrently on busy (a)
drop index concurrently if exists nothere
rollback
