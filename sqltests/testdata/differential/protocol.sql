# Messages of the extended protocol, in order.
create table t(id int, v text)
insert into t values (7, 'seven')
> P - select * from generate_series(1,10) as r
> B - - [] [] []
> E - 4
> E - 4
> E - 4
> E - 4
> S
> P - select count(*) from t where id = $1 + 1
> D S -
> B - - [1] [] []
> E - 0
> S
> P - select id from t where id > $1 - 7
> D S -
> B - - [10] [] []
> E - 0
> S
> P - select id from t where id = $1
> D S -
> B - - [7] [] []
> E - 0
> S
> P -:20 select $1::float8
> D S -
> S
\differs type-mixing error
> P -:20 select timestamp '2024-01-01' = $1::timestamp
> D S -
> S
> P -:16,16 select $1, $2
> B - - [TRUE|0x01] [0,1] []
> E - 0
> S
> P -:0,0 insert into t values ($2, $1)
> D S -
> B - - [NULL|NULL] [] []
> E - 0
> S
> P s select count(*) from t
> B - s [] [] [1]
> D P -
> E - 0
> S
> P s select 2
> S
\differs duplicate-statement error
> P x select 1
> P x brokn
> S
> B - x [] [] []
> E - 0
> S
> B - nothere [] [] []
> S
> E nothere 0
> S
> D S nothere
> S
> D P nothere
> S
> C S nothere
> C P nothere
> S
> P - insert into t values (1, 'one')
> B - - [] [] []
> E - 0
> P - bad sql
> B - - [] [] []
> E - 0
> P - insert into t values (2, 'two')
> B - - [] [] []
> E - 0
> S
select id from t order by id
> P - select 1; select 2
> S
> P -
> B - - [] [] []
> D P -
> E - 0
> S
> Q 
> Q begin
\differs generate-series rows
> P - select n from generate_series(1, 6) n
> B p1 - [] [] []
> B p2 - [] [] [1]
> E p1 2
> E p2 2
> E p1 2
> E p2 2
> H
> C P p1
> E p2 0
> S
> E p2 0
> S
> Q commit
> E p2 0
> S
\differs parameter-types error
> P d declare cc cursor with hold for select n from generate_series(1, $1) n
> D S d
> B - d [5] [] []
> E - 0
> S
\differs parameter-types error
> P - fetch 2 from cc
> D S -
> B - - [] [] [1]
> E - 0
> S
\differs parameter-types error
> D P cc
> S
\differs parameter-types error
close cc
> P - select $1::int, $2::text, $3::bool, $4::date, $5::timestamptz, $6::numeric, $7::uuid, $8::bytea, $9::json, $10::int[]
> D S -
> S
\differs parameter-types error
> P - select $1 || 'x', $2 + 1, lower($3), $4 like 'a%', $5 = any(array[1,2])
> D S -
> S
> P - select * from t where v = $1 and id in ($2, $3) limit $4 offset $5
> D S -
> S
> P - insert into t(v, id) values ($1, $2) returning id
> D S -
> B - - [x|3] [] []
> E - 0
> S
> P - update t set v = $1 where id = $2
> D S -
> B - - [z|3] [] []
> E - 0
> S
> P - select $1
> D S -
> B - - [hello] [] []
> E - 0
> S
> P - select $2::int
> D S -
> S
> P - select 1
> B - - [5] [] []
> S
> P - select $1::int
> B - - [] [] []
> S
> P - select $1::int
> B - - [abc] [] []
> E - 0
> S
\differs binary-data error
> P -:23 select $1
> B - - [0x0001] [1] []
> E - 0
> S
> P - select 1, 2
> B - - [] [] [1,0]
> D P -
> E - 0
> S
> P - select 1, 2
> B - - [] [] [1,0,1]
> S
> P c1 copy t from stdin
> B - c1 [] [] []
> D P -
> E - 0
> d 30	copied
> c
> S
> P c2 copy (select id from t where id = 30) to stdout
> D S c2
> B - c2 [] [] []
> E - 0
> S
> P c3 copy (select id from t where id = 30) to stdout (format binary)
> B - c3 [] [] []
> E - 0
> S
\differs function-call error
> F
> S
> P - begin
> B - - [] [] []
> E - 0
> S
> P - select nope
> S
> P - select 1
> S
> P - rollback
> B - - [] [] []
> E - 0
> S
> P - show timezone
> D S -
> B - - [] [] []
> E - 0
> S
> P - set timezone = 'UTC'
> D S -
> B - - [] [] []
> E - 0
> S
> P - explain (costs off) select 1
> D S -
> S
\differs explain names types
> P loop select timestamp '2024-01-01 10:00', $1::int
> B - loop [1] [] []
> E - 0
> B - loop [2] [] []
> E - 0
> B - loop [3] [] [1]
> E - 0
> S
> P w select v from t where id = $1
> S
alter table t add column extra int
> B - w [7] [] []
> E - 0
> S
> P st select * from t where id = 7
> S
alter table t add column extra2 int
> B - st [] [] []
> E - 0
> S
deallocate all
> B - loop [1] [] []
> S
> H
> S
