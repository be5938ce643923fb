-- What the backslash commands list and describe.
create schema other;
create table users (id int primary key, email text not null unique, score numeric(8,2) default 0, born date, tags text[], check (id >= 0));
create table orders (id bigint primary key, user_id int references users(id), made timestamptz default now(), note text);
create table plain (a int, b double precision);
create table other.hidden (x int);
create index orders_made on orders (made);
create unique index orders_note on orders (note);
create sequence ticket;
create view rich as select id, email from users where score > 100;
create view other.v as select 1 as one;
create type mood as enum ('sad', 'ok');
comment on table users is 'who pays';
comment on column users.email is 'the address';
comment on view rich is 'those with much';
