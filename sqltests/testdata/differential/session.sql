# SET, SHOW, RESET, DISCARD, set_config and what ParameterStatus says of them; timeouts; notices.
show server_encoding
show client_encoding
show integer_datetimes
show intervalstyle
show bytea_output
show max_identifier_length
show transaction_read_only
show is_superuser
show session_authorization
show search_path
show default_transaction_isolation
show default_transaction_read_only
show default_transaction_deferrable
show idle_in_transaction_session_timeout
show lock_timeout
show extra_float_digits
show row_security
show client_min_messages
show max_index_keys
show block_size
set application_name = 'a b'
set application_name to 'x', 'y'
set application_name = ''
show application_name
set application_name = abc
show application_name
set application_name = 12
show application_name
set application_name = 'é'
show application_name
reset application_name
set local application_name = 'loc'
begin; set local application_name = 'loc'; show application_name; commit
show application_name
begin
set application_name = 'tx'
rollback
show application_name
begin
set application_name = 'tx'
savepoint a
set application_name = 'inner'
rollback to a
show application_name
commit
show application_name
begin
set local application_name = 'l'
set application_name = 's'
commit
show application_name
begin
set application_name = 's1'
set local application_name = 'l1'
show application_name
commit
show application_name
set session application_name = 'ses'
set application_name from current
set timezone = 'America/New_York'
set local timezone = 'UTC'
begin; set local timezone = 'Asia/Tokyo'; select timestamptz '2024-01-01 00:00:00+00'; commit
select timestamptz '2024-01-01 00:00:00+00'
set timezone = '+02:00'
set timezone = 5
show timezone
\differs time-zones error
set timezone = -3.5
set time zone 'utc'
show timezone
set timezone to default
set time zone interval '1' hour
reset timezone
set intervalstyle = 'postgres'
\differs output-settings error
set intervalstyle = 'iso_8601'
\differs output-settings rows
select interval '1 day'
set intervalstyle = 'nope'
\differs output-settings settings
reset intervalstyle
\differs output-settings error
set bytea_output = 'escape'
\differs output-settings rows
select '\x00ff41'::bytea
set bytea_output = 'hex'
select '\x00ff41'::bytea
set extra_float_digits = 3
set extra_float_digits = 0
\differs output-settings rows
select 0.1::float8 + 0.2::float8
set extra_float_digits = 9
reset extra_float_digits
set client_encoding = 'UTF8'
set client_encoding = 'utf-8'
\differs output-settings error
set client_encoding = 'LATIN1'
\differs output-settings rows
show client_encoding
\differs output-settings settings
reset client_encoding
set names 'UTF8'
set names 'nope'
set names
set search_path = public
show search_path
set search_path to a, b
set search_path to "$user", public
set search_path = ''
reset search_path
set statement_timeout = 100
show statement_timeout
set statement_timeout = '1min'
show statement_timeout
set statement_timeout = '1.5s'
show statement_timeout
set statement_timeout = '90 s'
show statement_timeout
set statement_timeout = -1
set statement_timeout = '1 fortnight'
set statement_timeout = '1us'
set statement_timeout = 99999999999
set statement_timeout = default
show statement_timeout
set statement_timeout = '50ms'
select pg_sleep(5)
set statement_timeout = 0
begin; set local statement_timeout = '50ms'; select pg_sleep(5); commit
rollback
show statement_timeout
set lock_timeout = '10ms'
reset lock_timeout
set client_min_messages = warning
drop table if exists nothere
create table if not exists exists_already(a int)
create table if not exists exists_already(a int)
set client_min_messages = error
commit
rollback
set client_min_messages = 'notice'
create table if not exists exists_already(a int)
create schema if not exists public
create view if_v as select 1 as a
drop view if exists nothere
drop index if exists nothere
drop sequence if exists nothere
drop schema if exists nothere
drop materialized view if exists nothere
drop table if exists a, b, exists_already
alter table if exists nothere add column b int
commit
rollback
begin
begin
commit
set client_min_messages = nope
reset client_min_messages
set work_mem = '64MB'
show work_mem
set enable_seqscan = off
set jit = off
set my.custom = 'v'
show my.custom
reset my.custom
show my.custom
show my.unknown
select current_setting('my.unknown')
select current_setting('my.unknown', true)
select current_setting('nope')
select set_config('application_name', 'cfg', false)
show application_name
select set_config('my.x', 'y', false)
select current_setting('my.x')
select set_config('nope', '1', false)
select set_config('statement_timeout', 'x', false)
select set_config('timezone', 'Asia/Tokyo', false)
show timezone
select set_config('timezone', 'UTC', true)
show timezone
reset all
show timezone
set server_version = '1'
set transaction_isolation = 'serializable'
\differs settings-list rows
show all
set all = 1
reset nope
show nope
set = 1
set application_name
set application_name =
show
reset
discard all
begin
discard all
rollback
discard temp
discard plans
discard sequences
discard temporary
discard nope
discard
set role none
set session authorization default
set session authorization nobody
set role nobody
reset role
show role
create temp table tmp(a int)
select * from tmp
discard temp
select * from tmp
prepare p as select 1
discard all
execute p
set xmloption = content
set default_transaction_isolation = 'read uncommitted'
show transaction_isolation
set default_transaction_isolation = 'nope'
reset default_transaction_isolation
set default_transaction_read_only = on
show transaction_read_only
create table ro(a int)
begin; set transaction read write; create table ro(a int); commit
set default_transaction_read_only = off
\differs output-settings error
set datestyle = 'German'
\differs output-settings rows
select date '2024-01-02'
\differs output-settings settings
reset datestyle
set transaction_read_only = on
begin
set transaction_read_only = on
create table ro2(a int)
rollback
begin
select 1
set transaction isolation level serializable
rollback
begin
set transaction isolation level serializable, read only, not deferrable
show transaction_isolation
rollback
begin isolation level nope
begin read only read write
start
commit prepared 'x'
rollback prepared 'x'
