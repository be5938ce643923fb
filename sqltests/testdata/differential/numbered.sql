# What clients were seen to send to servers of Postgres's protocol, one case by its number. The exchanges of
# case 4 (a password) are in wire's TestAuthenticator, many lines for case 18 and the first packets of case 30
# in TestCase18 and TestCase30.
create table events (id int primary key, account_id text, at timestamp, ok bool, n numeric(10,2))
comment on table events is 'the source'
comment on column events.account_id is 'whose'
insert into events values (7, 'a', '2026-10-06 09:00:00', true, 1.50), (8, 'b', '2026-10-06 09:05:00.25', false, null)

# Case 1: the oid of a catalog's relation, and comments once each.
select 'pg_namespace'::regclass::oid = (select oid from pg_class where relname = 'pg_namespace')
select d.description from pg_catalog.pg_description d where d.classoid = 'pg_class'::regclass and d.objoid = 'events'::regclass order by d.objsubid

# Case 2: the query of \d: one table and one view, with an owner.
create view recent as select id from events
\differs internal-types types
select n.nspname as "Schema", c.relname as "Name", case c.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized view' when 'i' then 'index' when 'S' then 'sequence' when 't' then 'TOAST table' when 'f' then 'foreign table' when 'p' then 'partitioned table' when 'I' then 'partitioned index' end as "Type", pg_catalog.pg_get_userbyid(c.relowner) <> '' as "Owner"
 from pg_catalog.pg_class c left join pg_catalog.pg_namespace n on n.oid = c.relnamespace left join pg_catalog.pg_am am on am.oid = c.relam
 where c.relkind in ('r','p','v','m','S','f','') and n.nspname <> 'pg_catalog' and n.nspname !~ '^pg_toast' and n.nspname <> 'information_schema' and pg_catalog.pg_table_is_visible(c.oid) order by 1,2

# Case 3: the version, and settings that are not there.
select current_setting('server_version') ~ '^15', (select count(*) from pg_settings where name like 'rds%')

# Case 5: DateStyle is set, and reported.
SET datestyle TO 'ISO'

# Case 6: four rows at a time, and the query runs once. Case 7: the portal stays at its end.
> P - select * from generate_series(1,10) as r
> B - - [] [] []
> E - 4
> H
> E - 4
> E - 4
> E - 4
> S

# Case 8: the type of a parameter beside an operator.
> P - select count(*) from events where id = $1 + 1
> D S -
> B - - [6] [] []
> E - 0
> S

# Case 9: text for an integer.
> P - select id from events where id > $1 - 7
> D S -
> B - - [14] [] []
> E - 0
> P - select id from events where id = $1
> D S -
> B - - [7] [] []
> E - 0
> S

# Case 10: the types that the client declares.
> P -:20 select $1::float8
> D S -
> S
> P -:1114 select id from events where at = $1
> D S -
> B - - [2026-10-06T09:00:00] [] []
> E - 0
> S

# Case 11: a boolean as text and one in binary.
> P -:16,16 select $1, $2
> B - - [TRUE|0x01] [0,1] []
> E - 0
> S

# Case 12: NULL for a text and for an int.
> P -:25,23 insert into events (account_id, id) values ($1, coalesce($2, 9))
> B - - [NULL|NULL] [] []
> E - 0
> S
select account_id, id from events where id = 9

# Case 13: binary results.
> P - select count(*), '{"a":1}'::json, true, 1.5::numeric(3,1), id, at, account_id from events where id = 7 group by id, at, account_id
> B - - [] [] [1]
> D P -
> E - 0
> S

# Case 14: the same statement again and again; Execute describes no rows.
> P again select at, n from events where id = $1
> B - again [7] [] [0]
> E - 0
> B - again [7] [] [1]
> E - 0
> B - again [8] [] [1]
> E - 0
> B - again [8] [] [0]
> E - 0
> B - again [7] [] [1]
> E - 0
> S

# Case 15: a pipeline with an error in the middle changes nothing.
> P - insert into events (id) values (100)
> B - - [] [] []
> E - 0
> P - select frob
> P - insert into events (id) values (101)
> B - - [] [] []
> E - 0
> S
select count(*) from events where id >= 100

# Case 16: a Parse that fails leaves no unnamed statement, and a name is kept.
> P - select 1
> S
> P - brokn
> S
> B - - [] [] []
> S
> P keep select 1
> S
> P keep select 2
> S
> B - keep [] [] []
> E - 0
> S

# Case 17: a savepoint before an error.
begin
insert into events (id) values (200)
savepoint a
select frob
select 1
rollback to a
select count(*) from events where id = 200
release a
commit

# Case 18: an error in COPY names its line.
copy events (id) from stdin
|300
|301
|x
|303
select count(*) from events where id >= 300

# Case 19: COPY without a blank before the parenthesis.
copy events(id,account_id) from stdin
|400	a
copy events(id,account_id) from stdin csv header
|id,account_id
|401,b
select id, account_id from events where id >= 400 order by id

# Case 20: a cursor WITH HOLD in one message, and after COMMIT.
BEGIN;declare "c" cursor with hold for select id from events order by id;fetch 3 in "c"
commit
fetch 3 in "c"
move -1 in "c"
fetch 1 in "c"
close "c"
begin
\args 8
declare d cursor for select id from events where id >= $1 order by id
fetch all in d
commit

# Case 21: COPY in binary.
copy (select 1::int, 1.5::numeric, 'x') to stdout (format binary)

# Case 22: a setting that is reported.
set timezone to 'Europe/Berlin'
set timezone to 'UTC'

# Case 23: a transaction that only reads.
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY
insert into events (id) values (500)
rollback

# Case 24: the columns of a primary key, in order.
create table pairs (x text, b int, a int, primary key (a, b))
\differs generate-series rows types
select a.attname, i.n from (select indrelid, indkey, generate_series(0, indnatts - 1) as n from pg_index where indisprimary and indrelid = 'pairs'::regclass) i
 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[i.n] order by i.n
select ta.attname, ia.attnum from pg_catalog.pg_attribute ta, pg_catalog.pg_attribute ia, pg_catalog.pg_index i
 where i.indrelid = 'pairs'::regclass and ia.attrelid = i.indexrelid and ta.attrelid = i.indrelid and ta.attnum = i.indkey[ia.attnum-1] and i.indisprimary order by ia.attnum

# Case 25: the comment of a column.
select col_description((format('%I.%I','public','events'))::regclass::oid, 2)

# Case 26: the order of the answers.
> P - select id from events where id = $1
> B - - [7] [] []
> D P -
> E - 0
> S

# Case 27: the database itself.
select count(*), min(pg_encoding_to_char(encoding)) from pg_database where datname = current_database()
select current_setting('server_version_num')::int / 10000

# Case 28: the tables of the search path.
select quote_ident(table_name) from information_schema.tables
 where quote_ident(table_schema) in (select case when trim(s[i]) = '"$user"' then user else trim(s[i]) end from generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) as i, string_to_array(current_setting('search_path'), ',') s) order by 1

# Case 29: a function of the catalog's schema, its column by the alias.
\differs generate-series rows types
select * from pg_catalog.generate_series(1,3) pos(n)

# Case 30: a comment and nothing, after which the connection goes on.
-- nothing
;
select 1
