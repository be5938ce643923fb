# Cursors, SQL-level prepared statements, savepoints.
create table t(a int primary key, b text)
insert into t select i, 'r' || i from generate_series(1, 10) i
declare c cursor for select a from t order by a
begin
declare c scroll cursor for select a, b from t order by a
fetch c
fetch next from c
fetch next c
fetch prior from c
fetch first from c
fetch last from c
fetch next from c
fetch prior in c
fetch absolute 3 from c
fetch absolute -2 from c
fetch absolute 0 from c
fetch absolute 100 from c
fetch relative -3 from c
fetch relative 0 from c
fetch relative 2 from c
fetch 2 from c
fetch -2 from c
fetch 0 from c
fetch all from c
fetch all c
fetch backward from c
fetch backward 3 from c
fetch backward 0 from c
fetch forward from c
fetch forward 2 from c
fetch forward 0 from c
fetch forward -2 from c
fetch backward -2 from c
fetch backward all from c
fetch forward all from c
move first from c
move 3 from c
fetch c
move backward 2 from c
fetch c
move all from c
move prior from c
fetch c
move absolute 5 in c
move relative -2 c
fetch c
move backward all c
move forward all c
move 0 c
move nothere
fetch c
rollback
begin
declare c no scroll cursor for select a from t order by a
fetch 2 c
fetch prior c
rollback
begin
declare c no scroll cursor for select a from t order by a
fetch 2 c
fetch absolute 1 c
rollback
begin
declare c no scroll cursor for select a from t order by a
fetch 2 c
fetch relative 0 c
rollback
begin
declare c no scroll cursor for select a from t order by a
fetch 2 c
fetch absolute 5 c
fetch relative 2 c
move 1 c
fetch all c
fetch 1 c
rollback
begin
declare c cursor for select a from t order by a
declare c cursor for select 1
rollback
begin
declare c cursor with hold for select a from t order by a
declare d cursor without hold for select a from t order by a desc
fetch 2 c
fetch 2 d
commit
fetch 2 c
fetch 2 d
close c
close c
begin
declare c cursor with hold for select a from t order by a
rollback
fetch c
begin
savepoint s
declare c cursor for select 1
rollback to s
fetch c
rollback
begin
declare c cursor for select a from t order by a
savepoint s
fetch 2 c
rollback to s
fetch 1 c
close c
rollback
declare h1 cursor with hold for select 1
declare h2 scroll cursor with hold for select a from t order by a
fetch 3 h2
fetch backward 2 h2
close all
fetch h1
begin
declare c cursor for select a from t order by a
select nope
fetch c
close c
close all
declare e cursor for select 1
move c
rollback
begin
\differs cursor-errors error status
declare c cursor for select 1/a from (values (1), (0)) v(a)
\differs cursor-errors error status
fetch c
\differs cursor-errors error
fetch c
rollback
begin
declare c cursor for select a from t order by a
insert into t values (100, 'later')
fetch last c
fetch count c
rollback
begin
declare "Quoted Name" cursor for select 1
fetch "Quoted Name"
close "Quoted Name"
declare c insensitive cursor for select 1
declare c2 asensitive cursor for select 1
declare c3 cursor for values (1), (2)
fetch all c3
declare c4 cursor for with x as (select 1 as a) select * from x
fetch all c4
declare c5 cursor for table t
fetch 1 c5
declare c6 cursor for insert into t values (1)
rollback
begin
declare c scroll no scroll cursor for select 1
rollback
fetch c from
fetch forward backward c
fetch 'x' c
declare c
close
move
begin
declare c scroll cursor for select a from t order by a for update
rollback
begin
declare c cursor for select a from t where a = 1 for update
fetch c
rollback
begin; declare c cursor with hold for select a from t order by a;fetch 3 in c
commit
fetch 3 in c
move -1 c
fetch 1 c
close c
\differs session-catalogs rows tag
select name from pg_cursors

prepare p as select 1 as x
execute p
prepare p as select 2
deallocate p
deallocate p
execute p
deallocate prepare p
prepare p(int, text) as select $1 + 1 as n, $2 as t
execute p(1, 'x')
execute p(1)
execute p(1, 'x', 2)
execute p('5', 'x')
execute p('y', 'x')
execute p(1 + 1, upper('x'))
execute p(null, null)
\differs execute-arguments error
execute p((select 1), 'x')
execute p(a, 'x')
deallocate p
prepare ins as insert into t values ($1, $2) returning a
execute ins(200, 'x')
execute ins(200, 'x')
prepare upd(int) as update t set b = 'u' where a = $1
execute upd(200)
prepare del as delete from t where a = $1
execute del(200)
prepare bad as select nope
prepare bad as selec 1
prepare bad(nosuchtype) as select $1
prepare bad as create table x(a int)
prepare bad as begin
prepare v as values ($1::int), (2)
execute v(1)
prepare o(int) as select $1::text
execute o(7)
prepare unk as select $1
execute unk('x')
deallocate all
execute ins(1, 'x')
prepare p as select $2::int
execute p(1, 2)
prepare p3(int, int) as select $1
execute p3(1, 2)
begin
prepare intx as select 1
rollback
execute intx
deallocate intx
explain execute nothere
prepare "Quo Ted" as select 1
execute "Quo Ted"
execute quoted
deallocate "Quo Ted"
deallocate all

begin
insert into t values (300, 'a')
savepoint a
select count(*) from t
savepoint a
release a
rollback to a
release a
release a
rollback
begin
savepoint a
select nope
savepoint b
rollback to a
select 1
rollback to b
rollback
savepoint a
release savepoint a
rollback to savepoint a
begin
release savepoint nope
commit
begin
savepoint "Quo"
rollback to "Quo"
rollback to quo
rollback
begin; savepoint a; rollback
select 1; savepoint a; select 2
begin
savepoint x
rollback to x
rollback to savepoint x
rollback work to savepoint x
rollback transaction to x
release x
commit and no chain
rollback and chain
begin
select 1/0
commit and chain
show transaction_isolation
rollback
begin isolation level repeatable read
commit and chain
show transaction_isolation
commit
commit work and chain
end and no chain
abort
