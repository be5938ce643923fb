# What a session has open, and what ends with its transaction.
prepare p1(int, text) as select $1, $2
select name, statement, from_sql, prepare_time <= now() from pg_prepared_statements
prepare p2(int) as select $1 + 1 as n
select count(*) from pg_catalog.pg_prepared_statements where name like 'p%'
create table ctae as execute p2(4)
select * from ctae
drop table ctae
deallocate all
select count(*) from pg_prepared_statements
begin
declare c1 cursor with hold for select 1
declare c2 no scroll cursor for select 2
\differs session-catalogs rows tag
select name, statement, is_holdable, is_binary, is_scrollable from pg_cursors order by 1
commit
\differs session-catalogs rows tag
select name from pg_cursors
close all
create table copy_two as select 1 as a with no data
drop table copy_two
create temporary table gone(a int) on commit drop
select * from gone
begin
create temporary table gone(a int) on commit drop
insert into gone values (1)
select * from gone
commit
select * from gone
create temp table kept(a int) on commit delete rows
begin
insert into kept values (1)
select * from kept
commit
select * from kept
drop table kept
begin
create temp table gone on commit drop as select 1 as a
select * from gone
rollback
select * from gone

# Notifications by a function.
create table notes(t text)
listen ch
select * from pg_listening_channels()
select pg_listening_channels() as c
\differs internal-types types
select pg_notify('ch', 'x'), 1 as one
\args by parameter
\differs internal-types types
select pg_catalog.pg_notify('ch', $1)
select pg_notify('', 'x')
begin
\differs internal-types types
select pg_notify('ch', 'lost')
rollback
\differs notify-function error
insert into notes select pg_notify('ch', 'a row')
\differs notify-function error
select pg_notify('ch', x) from (values ('a')) t(x)
unlisten *
select * from pg_listening_channels()
