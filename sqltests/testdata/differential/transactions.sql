# Transactions, savepoints, settings, cursors, SQL-level statements, notifications.
create table t(a int primary key, b text)
begin
insert into t values (1, 'x')
select * from t
commit
begin; insert into t values (2, 'y'); rollback
select count(*) from t
begin
select nope
select 1
insert into t values (3, 'z')
commit
begin
insert into t values (3, 'z')
select 1/0
rollback
start transaction isolation level repeatable read, read only
insert into t values (4, 'z')
rollback
begin transaction read only
select count(*) from t
create table x(a int)
rollback
begin read only
update t set b = 'q'
end
abort
begin isolation level serializable
show transaction_isolation
show transaction isolation level
set transaction read write
commit and chain
rollback and chain
commit
begin
savepoint a
select nope
rollback to a
select count(*) from t
release a
commit
begin
savepoint a
savepoint b
rollback to savepoint b
release savepoint a
rollback to b
rollback
begin
insert into t values (70, 'w')
savepoint a
select count(*) from t
rollback to a
insert into t values (71, 'w')
\differs savepoints error status
rollback to a
rollback
begin
insert into t values (72, 'w')
savepoint a
select 1/0
\differs savepoints error status
rollback to a
rollback
begin
release nope
rollback
begin
rollback to nope
rollback
set transaction isolation level serializable
show transaction_read_only
set session characteristics as transaction isolation level repeatable read
show default_transaction_isolation
begin
show transaction_isolation
commit
set session characteristics as transaction isolation level read committed
set default_transaction_read_only = on
insert into t values (9, 'x')
set default_transaction_read_only = off
begin work
commit work
start transaction
end transaction
begin; select 1; select 2; commit
\differs constraint-names detail fields
insert into t values (10, 'a'); insert into t values (10, 'b')
select count(*) from t where a = 10
insert into t values (11, 'a'); commit; select nope
select count(*) from t where a = 11
begin; insert into t values (12, 'a'); select nope; commit
rollback
select count(*) from t where a = 12
begin
create table made(a int)
insert into made values (1)
rollback
select * from made
begin
drop table t
rollback
select count(*) from t
begin
truncate t
rollback
select count(*) from t
\differs prepared-transactions error
prepare transaction 'x'
lock t
begin
lock table t in access exclusive mode
commit

# Settings.
set application_name = 'tester'
show application_name
set application_name to default
set timezone = 'Europe/Berlin'
show timezone
show time zone
select timestamptz '2024-01-01 00:00+00', timestamptz '2024-07-01 00:00'
set time zone 'UTC'
set time zone local
set time zone default
set time zone interval '+02:00' hour to minute
set timezone to 'utc'
set datestyle to 'ISO'
\differs datestyle settings
set datestyle = 'ISO, DMY'
\differs datestyle rows
show datestyle
\differs datestyle settings
reset datestyle
set extra_float_digits = 3
show extra_float_digits
set client_encoding to 'UTF8'
set names 'UTF8'
set search_path to public
show search_path
set search_path = "$user", public
set local statement_timeout = '5s'
show statement_timeout
set statement_timeout = 5000
show statement_timeout
set statement_timeout = '2min'
show statement_timeout
set statement_timeout to default
show statement_timeout
begin
set local timezone = 'Asia/Tokyo'
show timezone
commit
show timezone
begin
set timezone = 'Asia/Tokyo'
rollback
show timezone
set standard_conforming_strings = on
set client_min_messages = 'error'
drop table if exists nothing
set client_min_messages = notice
drop table if exists nothing
reset all
set intervalstyle = 'postgres'
set bytea_output = 'hex'
set lock_timeout = '1s'
show lock_timeout
set idle_in_transaction_session_timeout = 0
show server_encoding
show integer_datetimes
show max_identifier_length
show standard_conforming_strings
show client_encoding
show is_superuser
show session_authorization
set session authorization default
set role none
reset role
set my.custom = 'x'
show my.custom
select current_setting('my.custom'), current_setting('nope.nope', true)
select set_config('my.custom', 'y', false)
\differs settings-in-queries rows
select set_config('statement_timeout', '1s', true), current_setting('statement_timeout')
show statement_timeout
select current_setting('server_version_num')::int >= 150000, current_setting('search_path')
\differs set-constraints error
set constraints all deferred
discard temp
discard plans
discard sequences
discard all
begin
discard all
rollback
reset application_name
\differs seed error
set seed to 0.5

# PREPARE, EXECUTE, DEALLOCATE.
prepare p as select 1
execute p
prepare p as select 2
deallocate p
prepare p(int, text) as select $1 + 1, $2
execute p(1, 'x')
execute p(1)
execute p('5', null)
execute p(1 + 2, 'a' || 'b')
prepare ins as insert into t values ($1, $2) returning a
execute ins(20, 'p')
prepare upd(int) as update t set b = 'u' where a = $1
execute upd(20)
deallocate prepare upd
\differs session-catalogs rows types
select name, statement, parameter_types from pg_prepared_statements order by name
deallocate all
execute p(1, 'x')
prepare q(int) as select * from t where a > $1 order by a
\differs explain error
explain (costs off) execute q(1)
create table from_execute as execute q(1)

# Cursors.
create table nums(n int)
insert into nums values (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)
declare c cursor for select 1
begin
declare c cursor for select n from nums order by n
fetch c
fetch 2 from c
fetch forward 3 from c
fetch next from c
move 1 in c
fetch all in c
fetch c
close c
fetch c
rollback
begin
declare c scroll cursor for select n from nums order by n
fetch last from c
fetch prior from c
fetch first from c
fetch absolute 5 from c
fetch relative 2 from c
fetch relative -1 from c
fetch backward 2 from c
fetch backward all from c
fetch prior from c
fetch forward all from c
move backward 3 from c
fetch 0 from c
fetch absolute -1 from c
fetch absolute 0 from c
move absolute 3 in c
fetch 1 in c
fetch forward 0 in c
move all in c
move backward all in c
declare c cursor for select 1
rollback
begin
declare n no scroll cursor for select 1
fetch n
fetch backward n
rollback
begin; declare "h" cursor with hold for select a from t order by a; fetch 3 in "h"
commit
fetch 3 in "h"
move -1 in "h"
fetch all from h
close "h"
declare h2 cursor with hold for select 1
fetch h2
\differs session-catalogs rows tag
select name, is_holdable, is_scrollable, is_binary from pg_cursors
close all
begin
declare b binary cursor for select 1, 'x'
\differs binary-cursors rows types
fetch b
commit
fetch b
begin
declare c cursor for select 1/0
fetch c
rollback
begin
declare u cursor for select * from t for update
fetch u
\differs current-of error status
update t set b = 'cur' where current of u
\differs current-of error status
delete from t where current of u
\differs current-of tag
commit
begin
declare c cursor for nope
rollback
\differs generate-series error
\args 3
declare pc cursor with hold for select n from generate_series(1, $1::int) n
\differs generate-series error
fetch all pc

# NOTIFY.
listen chan
notify chan
notify chan, 'hello'
\differs internal-types types
select pg_notify('chan', 'from a function')
begin
notify chan, 'later'
notify chan, 'later'
notify chan, 'rolled'
select 1
commit
begin
notify chan, 'never'
rollback
@b notify chan, 'from b'
\differs internal-types rows types
select pg_sleep(0.1)
@b listen other
@b notify other
select pg_listening_channels()
unlisten chan
notify chan, 'nobody'
unlisten *
begin
listen third
rollback
notify third
listen "Quoted Name"
notify "Quoted Name", 'q'
