# Arrays: of one dimension and of more.
select array[[1,2],[3,4]], array[array[1,2],array[3,4]], '{{1,2},{3,4}}'::int[], '{{a,b},{c,NULL}}'::text[][], array[[1,2],[3,4]]::text[], array[['a','b']], array[[[1],[2]],[[3],[4]]]
select cast(array[[1,2],[3,4]] as bigint[]), cast('{{1.5},{2.5}}' as float8[]), '{{2024-01-01}}'::date[], '{}'::int[][], '{1,2}'::int[][]
select array[[1+1, abs(-3)],[null, 3]] as a, (array[[1,2],[3,4]])[2][1]
select array[[1,2],[3,4]] = array[[1,2],[3,4]], array[[1,2]] = '{{1,2}}'
select unnest(array[[1,2],[3,4]])
select * from unnest('{{a,b},{c,d}}'::text[]) as u(x)
select array[[1,2],[3,4]] || array[[5,6]]
select array[[1,2],[3,4]] || array[5,6]
select array[5,6] || array[[1,2],[3,4]]
select '{{1,2},{3}}'::int[]
\differs nested-arrays error
select array[[1,2],[3]]
\differs nested-arrays rows types
select array_agg(array[x, x+1]) from (values (1),(2)) t(x)
\differs nested-arrays rows
select '[2:3]={1,2}'::int[]
\args {{1,2},{3,4}}
select $1::int[]
\args {{a,b},{c,d}} | {1,2}
select $1::text[][] as a, cast($2 as int[]) as b, $2::int[][] as c
create table grids(id int, a int[], f int[2][2], t text[], d text[] default '{x,y}')
insert into grids values (1, '{1,2}', '{{1,2},{3,4}}', '{a}', default), (2, array[3], array[[5,6],[7,8]], array['b','c'], '{}')
insert into grids(id, a, f) values (3, null, null)
select * from grids order by id
\args 4 | {9} | {{1,1},{2,2}} | {"x y",NULL}
insert into grids(id, a, f, t) values ($1, $2, $3, $4) returning *
\args {{1,1},{2,2}}
select id from grids where f = $1
select id, f[1][2] from grids order by id
select id from grids where f = '{{5,6},{7,8}}'
select id from grids where a = '{1,2}' or t = '{b,c}' order by id
update grids set f = '{{0,0},{0,0}}', t = '{}' where id = 1
update grids set a = a || 9, t = 'z'::text || t where id = 2 returning a, t
select a || 3 as b, 0 || a as c, t || 'x'::text as d, a || '{7,8}' as e from grids where a is not null order by id
select 3 || array[4,5,6], array[4,5,6] || 7, array[1] || 2 || 3, array['a','b'] || '{c}', 1 || array[2] || array[3]
select array[1,2] || (3 + 4), array[1] || abs(-3) || case when true then 1 end
select f || array[[5,6]] from grids where id = 1
\differs array-operators rows types
select array[1,2] || null

# Texts that are arrays because of what stands beside them, also in statements that write.
create table tagged (id int, tags text[], ns int[], j jsonb)
insert into tagged values (1, '{a,b}', '{1}', '{"a": 1}'), (2, '{}', null, '{}')
select id from tagged where tags = '{a,b}' or tags @> '{zz}'
select id from tagged where tags in ('{}', '{c}') and j = '{}'
select id, coalesce(ns, '{7}'), case when tags <> '{}' then tags else '{none}' end from tagged order by id
select tags || 'x' from tagged
select tags from tagged where tags = 'x'
update tagged set tags = tags || 'x'::text, ns = ns || 3 where tags && '{b}'
update tagged set tags = '{q}' || tags, ns = 0 || ns where tags <> '{x}' and ns @> '{1}'
update tagged set tags = tags || '{r,"s t"}', ns = case when ns = '{0,1,3}' then '{9,9}' else ns end
update tagged set tags = tags || array['t'] where tags <@ '{q,a,b,x,r,s t}' returning id, tags, ns
update tagged set tags = '{y}' where ns = '{9,9}' and id > 'y'
begin
update tagged set tags = '{z}' where ns = '{9,9}'
select id from tagged where tags = '{z}'
delete from tagged where tags || 'w'::text = '{z,w}' returning id
commit
\args {r,s t}
select id from tagged where tags = $1 and tags <> '{a}'
merge into tagged t using (values (2)) v(id) on t.id = v.id and t.tags = '{r,"s t"}' when matched then update set tags = '{m}'
select id, tags from tagged
\differs nested-arrays error
select array[[1,2],[3,4]] @> array[1,4]
select '{"\\x6162","\\x00ff"}'::bytea[], array['\x61'::bytea]
create table blobs (b bytea[])
insert into blobs values ('{"\\x6162",NULL}')
select b from blobs where b = '{"\\x6162",NULL}'
