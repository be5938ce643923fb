# Errors: SQLSTATE, position, and the names that go with them.
create table t(a int primary key, b text not null, c int check (c > 0), d int unique)
insert into t values (1, 'x', 1, 1)
create table child(a int references t(a), b int constraint positive check (b > 0))
selec 1
select 1 from
select * from t where
select 1 +
select (1
select 'abc
select "abc
select 1 2
\differs clause-position position
select * frm t
select * from nothere
select * from nothere n where n.x = 1
select * from nothere.t
insert into nothere values (1)
update nothere set a = 1
delete from nothere
drop table nothere
drop view nothere
drop index nothere
drop schema nothere
drop sequence nothere
alter table nothere add column x int
create index on nothere(a)
truncate nothere
copy nothere to stdout
copy nothere from stdin
select x from t
select t.x from t
select y.a from t
select a, äöü, x from t
select nofunc(1)
select nofunc(a, b) from t
select length(1)
select abs('a', 1)
select upper(b, 1) from t
select 1 + 'x'
select a + b from t
select 'a' + 'b'
select b + 1 from t
select date '2024-01-01' + 'x'
select true + 1
\differs boolean-conditions error
select not 1
\differs boolean-conditions error
select a from t where a
\differs boolean-conditions error
select a from t where b
select 1 where 'x'
select a, count(*) from t
select b from t group by a + 1
select a from t where count(*) > 1
select sum(count(*)) from t
select a from t where row_number() over () = 1
select a from t t1, t t2
select * from t join t on true
select a from t t1 join t t2 using (nope)
select 1 order by 2
select a from t order by nope
select a from t group by 3
select 1 union select 1, 2
\differs type-mixing error
select 1 union select 'x'
select (select 1, 2)
select (select a from (values (1),(2)) v(a))
select 1 in (select 1, 2)
select a from t limit -1
select a from t limit 'x'
insert into t values (1, 'y', 1, 2)
\differs constraint-details detail
insert into t values (2, null, 1, 2)
\differs constraint-details detail
insert into t values (2, 'y', -1, 2)
insert into t values (2, 'y', 1, 1)
\differs constraint-details detail
insert into t(a) values (3)
insert into t values (1, 2, 3, 4, 5)
insert into t(a, b) values (1)
insert into t(a, nope) values (1, 2)
insert into t(a, a) values (1, 2)
insert into t values ('x', 'y', 1, 1)
\differs constraint-details detail fields
insert into t(b) values (default)
update t set nope = 1
update t set a = 'x'
\differs constraint-details detail
update t set b = null
\differs constraint-details detail
update t set c = 0
update t set a = 1, a = 2
update t set d = nope
delete from t where nope = 1
\differs constraint-details detail
insert into child values (9, 1)
\differs constraint-names detail fields
insert into child values (1, 0)
insert into child values (1, 1)
\differs constraint-names detail fields
delete from t
drop table t
create table t(x int)
create view t as select 1
create table dup(a int, a int)
create table bad(a nosuchtype)
\differs definition-position position
create table bad(a int primary key, b int primary key)
create schema public
create table nope.t(a int)
alter table t add column a int
alter table t drop column nope
alter table t rename column nope to x
alter table t rename to child
alter table t alter column a type nosuchtype
create view v as select nope from t
create index i on t(nope)
select 1::nosuchtype
select cast(1 as nosuchtype)
select '1'::int4, 'abc'::int4
select a::date from t
select $1
select $1::int
select * from t where a = $1
prepare p as select $1::int + 1
execute p
execute p('x')
execute nope
deallocate nope
fetch nope
close nope
select 1; select nope; select 2
insert into t values (50, 'x', 1, 50); select 1/0
select count(*) from t where a = 50
savepoint s
release s
rollback to s
commit
rollback
begin; begin
commit
set nosuch = 1
show nosuch
reset nosuch
select current_setting('nosuch')
set statement_timeout = 'x'
set timezone = 'Nowhere/City'
set datestyle = 'nope'
set client_encoding = 'nope'
set transaction isolation level nope
\differs interval-units error
select interval '1 foo'
select extract(foo from now())
select date_trunc('foo', now())
select '2024-13-01'::date, 1
select timestamp '2024-01-01 25:00'
select substring('abc' from 1 for -1)
select chr(0)
select sqrt(-1)
select ln(0)
select (-1) ^ 0.5
select repeat('x', -1)
select array[1, 'x']
\differs duckdb-syntax error
select array[1,2][5]
\differs boolean-conditions error
select case when 1 then 2 end
\differs type-mixing error
select coalesce(1, 'x')
select 1 = 'x'
\differs type-mixing error
select a = b from t
select nullif(1, 'x')
select * from generate_series(1, 3, 0)
\differs series-arguments error
select * from generate_series(1, 'x')
explain select nope
explain nope
lock table t
call nope()
\differs server-programs error
do $$ begin end $$
\differs server-programs error
create function f() returns int language sql as 'select 1'
\differs server-programs error
grant select on t to public
\differs server-programs error
create user x
\differs extensions error
create extension nope
listen
notify
unlisten
vacuum nothere
analyze nothere
refresh materialized view nothere
set
show
begin foo
update t set
insert into
delete t
create
drop
select 1 limit 1 limit 2
\differs distinct-order error
select distinct on (b) a from t order by a
with x as (select 1) select * from y
with x as (select 1), x as (select 2) select 1
\differs lenient-syntax error
select * from (select 1)
values (1), (2, 3)
select 1 as

# The places of errors about whole clauses.
create table place (a int, b text, c int)
insert into place(a, b) values (1, 'x'), (2)
insert into place(a, b) values (1 + 1, 'x', (3))
insert into place as z (a, b) values (1) returning a
insert into place (a, b) select a from place
insert into place (a) select a, b from place where a = 1
insert into place (a) with k as (select 1) select 1, 2 from k
insert into place select 1, '2', 3, 4
select 1, 2 union all (select 1)
select 1 union select 2 union select 3, 4
select (select 1 union select 1, 2)
select * from (values (1), (2, 3)) v
values (1, 2), (3)
select a, count(*) from place group by 1, 7
select a from place group by 0
select a from place group by -1
select a from place union select c from place order by b
