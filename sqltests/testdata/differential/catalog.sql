# What clients read of the catalogs.
create table users(id int primary key, email varchar(100) not null, score numeric(8,2) default 0, born date, tags text[])
create table orders(id int, user_id int references users(id), at timestamptz, primary key (id, user_id))
create view active as select id, email from users
\differs char-types types
select table_schema, table_name, table_type from information_schema.tables where table_schema = 'public' order by 2
\differs char-types rows types typmods
select column_name, ordinal_position, is_nullable, data_type, udt_name, character_maximum_length, numeric_precision, numeric_scale, datetime_precision from information_schema.columns where table_schema = 'public' and table_name = 'users' order by 2
\differs char-types types
select constraint_type, table_name from information_schema.table_constraints where table_schema = 'public' and constraint_type <> 'CHECK' order by 2, 1
select column_name, ordinal_position from information_schema.key_column_usage where table_schema = 'public' and constraint_name like '%pkey' order by table_name, 2
select table_name, view_definition is not null from information_schema.views where table_schema = 'public'
select relname, relkind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1
\differs char-types rows
select attname, format_type(atttypid, atttypmod), attnotnull, attnum from pg_attribute where attrelid = 'users'::regclass and attnum > 0 order by attnum
select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = 'orders'::regclass and i.indisprimary order by 1
select nspname from pg_namespace where nspname in ('public', 'pg_catalog', 'information_schema') order by 1
select typname, typlen, typtype, typcategory from pg_type where oid in (16, 20, 23, 25, 1700, 1184, 2950) order by 1
select conname, contype, conkey from pg_constraint where conrelid in ('users'::regclass, 'orders'::regclass) order by 1
select count(*) from pg_tables where schemaname = 'public'
select tablename from pg_tables where schemaname = 'public' order by 1
select viewname from pg_views where schemaname = 'public'
select indexname from pg_indexes where schemaname = 'public' order by 1
\differs internal-types types
select datname, pg_encoding_to_char(encoding) from pg_database where datname = current_database()
\differs internal-types rows types
select current_schemas(true), current_schemas(false)
\differs internal-types rows types
select to_regclass('users'), to_regclass('nope'), 'users'::regclass
select 'nope'::regclass
select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'users'::regclass and contype = 'p'
\differs internal-types rows
select format_type(23, -1), format_type(1700, 786434), format_type(1043, 104), format_type(1009, -1)
select has_table_privilege('users', 'select'), has_schema_privilege('public', 'usage')
select pg_table_is_visible('users'::regclass)
select col_description('users'::regclass, 1), obj_description('users'::regclass, 'pg_class')
select count(*) from pg_stat_activity where pid = pg_backend_pid()
select count(*) from pg_settings where name = 'TimeZone'
select usename from pg_user where usename = current_user
select rolname from pg_roles where rolname = current_user
\differs internal-types types
select * from pg_class where false
\differs internal-types types
select n.nspname as "Schema", c.relname as "Name", case c.relkind when 'r' then 'table' when 'v' then 'view' end as "Type" from pg_catalog.pg_class c left join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r','v') and n.nspname = 'public' order by 1, 2

# The cases of clients, by their numbers in the reports.
select 'pg_namespace'::regclass::oid = oid from pg_class where relname = 'pg_namespace' and relnamespace = 'pg_catalog'::regnamespace
comment on table users is 'who'
comment on column users.email is 'where'
select d.description, d.objsubid from pg_catalog.pg_description d where d.classoid = 'pg_class'::regclass and d.objoid = 'users'::regclass order by 2
select (select count(*) from pg_settings where name like 'rds%')
select a.attname, i.indkey[0], i.indkey[1] from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where c.relname = 'orders' and i.indisprimary
select a.attname from pg_attribute ta, pg_attribute ia, pg_class tc, pg_index i, pg_namespace n, pg_class ic, pg_attribute a where tc.relname = 'orders' and n.nspname = 'public' and tc.oid = i.indrelid and n.oid = tc.relnamespace and i.indisprimary and ia.attrelid = i.indexrelid and ta.attrelid = i.indrelid and ta.attnum = i.indkey[ia.attnum-1] and not ta.attisdropped and ic.oid = i.indexrelid and a.attrelid = ta.attrelid and a.attnum = ta.attnum order by ia.attnum
select col_description((format('%I.%I','public','users'))::regclass::oid, 2)
select split_part(current_setting('server_version'), '.', 1)
select quote_ident(table_name) from information_schema.tables where table_schema in (select case when trim(s[i]) = '"$user"' then user else trim(s[i]) end from generate_series(array_lower(string_to_array(current_setting('search_path'),','),1), array_upper(string_to_array(current_setting('search_path'),','),1)) as i, string_to_array(current_setting('search_path'),',') s) order by 1
set datestyle to 'ISO'
begin transaction isolation level repeatable read read only
insert into users values (1)
rollback
SELECT TRUE AS "_" FROM "public"."users" WHERE 1 <> 1 LIMIT 0
select t.typname, t.oid, t.typarray from pg_type t where t.typname in ('int4', 'text') order by 1
select typinput = 'array_in'::regproc from pg_type where typname = '_int4'
select extname from pg_extension where extname = 'nothing'
select has_database_privilege(current_database(), 'connect')
select enumlabel from pg_enum where false
select count(*) from pg_stat_user_tables where relname = 'users'
