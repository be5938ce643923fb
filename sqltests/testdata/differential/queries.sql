# Queries over tables, and what changes them.
create table emp(id int primary key, name text not null, dept text, salary numeric(10,2), hired date, boss int)
insert into emp values (1,'Ann','it',100.50,'2020-01-01',null),(2,'Bob','it',90.00,'2021-02-01',1),(3,'Cid','hr',80.25,'2022-03-01',1),(4,'Dan','hr',null,'2023-04-01',3),(5,'Eve',null,70.00,null,3)
create table dept(code text primary key, title text, budget bigint)
insert into dept(code, title, budget) values ('it','Computers',1000),('hr','People',500),('xx','Nobody',0)
select * from emp order by id
select e.* from emp e where e.id < 3 order by 1 desc
select id, name from emp order by salary desc, id
select id from emp order by salary, id
select id from emp order by salary desc nulls last, id limit 2 offset 1
select id from emp order by id fetch first 2 rows only
\differs numeric-results rows types
select dept, count(*), count(salary), sum(salary), avg(salary), min(salary), max(salary), sum(id), avg(id) from emp group by dept order by dept
select count(*), count(distinct dept), sum(id::bigint), sum(id::smallint), avg(id::float8), sum(1.5), max(name), min(hired) from emp
select dept, count(*) filter (where salary > 85) as high from emp group by 1 order by 1
select dept, array_agg(id order by id), string_agg(name, ',' order by name desc) from emp group by dept order by dept
select dept, sum(salary) from emp group by rollup(dept) order by dept nulls last, 2
select dept, boss, count(*) from emp group by grouping sets ((dept), (boss), ()) order by 1, 2, 3
\differs function-types rows types
select dept, boss, grouping(dept, boss), count(*) from emp group by cube(dept, boss) order by 1, 2, 3, 4
select dept from emp group by dept having count(*) > 1 order by dept
\differs numeric-results rows types
select bool_and(id > 0), bool_or(id > 4), every(id > 0), bit_and(id), bit_or(id), stddev(id), variance(id), stddev_pop(id), corr(id, id) from emp
select percentile_cont(0.5) within group (order by id), percentile_disc(0.5) within group (order by id), mode() within group (order by dept) from emp
select id, row_number() over (order by id), rank() over (order by dept), dense_rank() over (order by dept), lag(name) over (order by id), lead(id, 2, 0) over (order by id) from emp order by id
\differs function-types rows types
select id, sum(id) over (partition by dept order by id), count(*) over (), first_value(name) over w, last_value(name) over w, ntile(2) over (order by id) from emp window w as (partition by dept order by id) order by id
\differs numeric-results rows types
select id, avg(salary) over (order by id rows between 1 preceding and current row), percent_rank() over (order by id), cume_dist() over (order by id) from emp order by id
select distinct dept from emp order by dept
select distinct on (dept) dept, name from emp order by dept, id desc
select e.name, d.title from emp e join dept d on d.code = e.dept order by e.id
select e.name, d.title from emp e left join dept d on d.code = e.dept order by e.id
select d.code, e.id from emp e right join dept d on d.code = e.dept order by 1, 2
select e.id, d.code from emp e full join dept d on d.code = e.dept order by 1, 2
select count(*) from emp cross join dept
select e.name, b.name as boss from emp e, emp b where b.id = e.boss order by 1
select * from (select 1 as a) x natural join (select 1 as a, 2 as b) y
select a, b from (select 1 as a) x join (select 1 as a, 2 as b) y using (a)
select d.code, x.name from dept d, lateral (select name from emp e where e.dept = d.code order by id limit 1) x order by 1
select d.code, x.n from dept d left join lateral (select count(*) as n from emp e where e.dept = d.code) x on true order by 1
with a as (select * from emp where id < 3), b as (select id from a) select * from b order by 1
with recursive t(n) as (select 1 union all select n + 1 from t where n < 5) select sum(n), count(*) from t
select 1 union select 2 union all select 2 order by 1
select id from emp intersect select 1 order by 1
select id from emp except select 1 order by 1
select id from emp where dept in (select code from dept) order by 1
select id from emp e where exists (select 1 from dept d where d.code = e.dept) order by 1
select id from emp where salary > all (select 75) order by 1
\differs row-values error
select id, (select title from dept where code = dept) from emp order by id
select name from emp where name like 'A%' or name ilike 'b%' order by 1
select upper(name) as n from emp order by n limit 1
select count(*) from emp where hired >= '2021-01-01' and hired < date '2023-01-01'
\differs date-trunc rows types
select date_trunc('year', hired) as y, count(*) from emp group by 1 order by 1
select extract(year from hired) as y, count(*) from emp where hired is not null group by 1 order by 1
select to_char(hired, 'YYYY-MM') as m, count(*) from emp group by m order by m
select case when salary > 85 then 'high' when salary is null then 'none' else 'low' end as band, count(*) from emp group by 1 order by 1
select "emp"."id" AS "ID" from "public"."emp" order by "ID" limit 1
select count(*) as "count(*)", sum(id) as "Sum" from public.emp
select emp.id from emp where emp.id = 1
\differs row-values rows types
select t from (select 1 as a, 'x' as b) t
select (e).id from emp e where (e).id = 1
select * from emp where false
select null as n from emp limit 0
select 1 as a, 2 as a
select * from (values (1,'x'),(2,null)) as v(a, b) order by a
select * from (select count(*) from emp) q
select q.count from (select count(*) from emp) q
\differs numeric-results rows types
select sum from (select sum(id) from emp) q
table dept
select id from emp tablesample system (100) order by 1
\differs system-columns error
select ctid is not null from emp limit 1
\differs system-columns error
select tableoid::regclass from emp limit 1

# Writing.
insert into dept values ('zz', 'Zed', 1) returning *
insert into dept(code, title) values ('yy', default) returning code, title as "Title", budget
insert into dept select 'ww', 'Wow', 3 returning code || '!' as c
insert into dept values ('zz', 'Again', 2) on conflict do nothing
insert into dept values ('zz', 'Again', 2) on conflict (code) do update set title = excluded.title, budget = dept.budget + 1 returning *
insert into dept(code) values ('zz') on conflict (title) do nothing
update dept set budget = budget + 1 where code = 'zz'
update dept set budget = budget + 1 where code = 'zz' returning code, budget
update dept set (title, budget) = ('T', 9) where code = 'yy' returning *
\differs update-from-returning error
update dept d set title = e.name from emp e where e.dept = d.code and e.id = 1 returning d.code, d.title, e.id
update emp set salary = null where id = 5 returning id, salary
delete from dept where code = 'ww' returning *
delete from dept using emp where emp.dept = dept.code and emp.id = 3 returning dept.code
delete from dept where false
update dept set title = 'x' where false
insert into dept values ('a1', 'A', 1), ('a2', 'B', 2)
\differs constraint-details detail
insert into dept default values
with x as (select 'b1' as c) insert into dept select c, c, 1 from x returning code
\differs dml-in-with error
with d as (delete from dept where code = 'b1' returning code) select * from d
merge into dept using (values ('a1', 'New'), ('c1', 'Fresh')) v(c, t) on v.c = dept.code when matched then update set title = v.t when not matched then insert (code, title) values (v.c, v.t)
\differs dml-in-with rows tag
select * from dept order by code
create table copy_of as select * from dept where code = 'a1'
create table copy_two as select 1 as a with no data
\differs dml-in-with tag
select * into copy_three from dept
\differs dml-in-with rows
select count(*) from copy_three
create temp table scratch(a int, b text)
insert into scratch values (1, 'x')
select * from scratch
create temporary table gone(a int) on commit drop
truncate scratch
truncate table scratch, copy_of
create view v as select id, name from emp
select * from v where id = 1
create or replace view v as select id, name, dept from emp
create index on emp(name)
create index emp_dept on emp using btree (dept)
create unique index if not exists emp_dept on emp(dept)
drop index emp_dept
alter table scratch add column c int default 5
alter table scratch rename column c to d
alter table scratch alter column d type bigint
alter table scratch drop column d
alter table scratch rename to scratch2
create schema app
create table app.t(a int)
insert into app.t values (1)
select * from app.t
drop table app.t
drop schema app
create sequence s1
select nextval('s1'), nextval('s1')
select currval('s1')
create table serials(id serial primary key, v text)
insert into serials(v) values ('a'), ('b') returning id
create table idents(id int generated always as identity, v text)
insert into idents(v) values ('a') returning id
create table gen(a int, b int generated always as (a * 2) stored)
insert into gen(a) values (4) returning b
create type mood as enum ('sad', 'ok')
\differs enums types
select 'ok'::mood
comment on table emp is 'people'
comment on column emp.name is 'first name'
select obj_description('emp'::regclass), col_description('emp'::regclass, 2)
drop table if exists nothing
drop view v
drop table scratch2, copy_of
analyze emp
vacuum
create table at_words(at int, qualify int, map int, pivot int, show text, describe text, summarize text, semi int, anti int, asof int, positional int, struct int, unpivot int, lambda int)
insert into at_words(at, qualify, map, pivot, show) values (1, 2, 3, 4, 'x')
select at, qualify, map, pivot, show, describe, summarize, semi, anti, asof, positional, struct, unpivot, lambda from at_words
select w.at, w.qualify, w.pivot from at_words w where qualify = 2 and pivot > 1 order by pivot, qualify
update at_words set qualify = 5, pivot = 6 returning qualify, pivot, lambda
select glob, macro from (select 1 as glob, 2 as macro) x
select 1 as qualify, 2 as pivot, 3 as lambda, 4 as summarize
create table qualify(pivot int)
select pivot from qualify
drop table qualify

# A row that a statement comes to twice.
create table once (id int primary key, v text, w int unique)
insert into once values (1, 'a', 1)
insert into once values (1, 'b', 2), (1, 'c', 3) on conflict (id) do update set v = excluded.v
insert into once values (2, 'b', 2), (2, 'c', 3) on conflict (id) do update set v = excluded.v
insert into once select 2, 'x' || i, 10 + i from generate_series(1, 3) i on conflict (id) do update set v = excluded.v
insert into once values (5, 'b', 7), (6, 'c', 7) on conflict (w) do update set v = excluded.v
\differs constraint-details detail
insert into once values (1, 'b', 2), (2, 'b', 3), (null, 'c', 4) on conflict (id) do update set v = excluded.v
insert into once values (1, 'b', 2), (2, 'b', 3) on conflict (id) do update set v = excluded.v
with s(id) as (values (1), (2)) insert into once select id, 'w', id from s on conflict (id) do update set v = 'y'
\args 1 | 1
insert into once select $1::int, 'p', $2::int + i from generate_series(1, 2) i on conflict (id) do update set v = excluded.v
insert into once values (3, 'b', 5), (3, 'c', 6) on conflict do nothing
\differs constraint-details detail
insert into once default values on conflict (id) do update set v = 'q'
\differs conflict-twice error
insert into once values (4, 'b', 8), (4, 'c', 9) on conflict (id) do update set v = excluded.v where excluded.v <> 'b'
\differs conflict-twice tag
delete from once where id = 4
create table src (id int, v text)
insert into src values (1, 'm1'), (1, 'm2'), (9, 'n1')
merge into once using src on once.id = src.id when matched then update set v = src.v
merge into once using src on once.id = src.id when matched then delete
merge into once o using src s on o.id = s.id when matched and s.v = 'm1' then update set v = s.v when matched and case when s.v = 'm2' then true end then do nothing
merge into once o using src s on o.id = s.id when matched and s.v = 'm1' then update set v = s.v when matched then delete
\args m2
merge into once o using (select * from src where v <> $1) s on o.id = s.id when matched then update set v = s.v when not matched then insert values (s.id, s.v, 99)
begin
insert into once values (1, 'z', 2), (1, 'z', 3) on conflict (id) do update set v = excluded.v
select * from once
rollback
select * from once order by id

# Patterns of a query or an array, some of them NULL.
create table words (a text)
insert into words values ('abc'), ('Xyz'), (null)
create table patterns (pat text)
insert into patterns values ('a%'), ('%z')
select a from words where a like any (select pat from patterns)
select a from words where a ilike any (select upper(pat) from patterns) order by a
select a from words where a not like all (select pat from patterns)
select count(*) from words where a like all (select pat from patterns where false)
select a from words where a like any (select pat from patterns where false) or not a like any (values ('a%'))
select a like any (array['a%', null]), a like all (array['a%', null]), a not like all (array['b%', null]), a not like any (array['a%']) from words
select 'a' like any (null::text[]), null like any (array['a']), 'a' like any ('{}'), 'a' like all ('{}')
select a ~ any (select '^a'), a !~ all (array['^b', '^X']), a ~* any (array['^x']) from words
select a from words w where a like any (select pat from patterns where pat <> w.a)
\differs pattern-lists error
select a from words w where exists (select 1 from patterns p where w.a like any (select p.pat))

# Functions side by side, and series of numerics.
\differs generate-series rows types
select * from rows from (generate_series(1, 3), generate_series(10, 11)) as t(x, y)
select x, n from rows from (unnest(array['a', 'b'])) with ordinality as t(x, n)
select * from rows from (unnest(array[1, 2]), unnest(array['a', 'b', 'c'])) with ordinality as t(x, y, n)
select * from unnest(array[1, 2], array['a', 'b', 'c']) with ordinality as t(a, b, c)
select rows from (select 1 as rows) t
select * from generate_series(1.0, 2.0, 0.5)
select * from generate_series(1.1, 3)
select generate_series(1::numeric, 3.5)
select x from generate_series(0.1, 0.5, 0.1) as t(x) where x > 0.2
select * from generate_series(3.0, 1.0, -0.7) g
select * from generate_series(1.0, 2.0, 0)
\differs numeric-results rows
select * from generate_series(5, 1, -2.5)
