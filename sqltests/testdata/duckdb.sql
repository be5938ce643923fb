# DuckDB's own SQL; see TestDuckDBsOwnSQL.
create table sales(id int, region varchar, product varchar, qty int, price double, at_day date)
insert into sales values (1,'n','a',2,1.5,'2024-01-01'),(2,'n','b',1,2.5,'2024-01-02'),(3,'s','a',5,1.0,'2024-02-01'),(4,'s','c',null,4.0,'2024-02-03'),(5,'w','b',3,2.0,'2024-03-01')
create table cities(city varchar, year int, people int)
insert into cities values ('x',2000,10),('x',2010,12),('y',2000,5),('y',2010,7)
from sales order by id
from sales select region, qty where id < 3 order by id
select * exclude (price, at_day) from sales order by id
select * exclude price from sales order by id
select * replace (qty * 2 as qty) from sales order by id
select * rename (qty as quantity) from sales order by id
select columns(*) from sales order by id
select columns('.*i.*') from sales order by 1
select min(columns(* exclude (region, product))) from sales
select columns(c -> c like 'p%') from sales order by 1, 2
select sales.* exclude (id) from sales order by all
select region, sum(qty) from sales group by all order by all
select region, product, qty from sales order by all
select region, qty from sales qualify row_number() over (partition by region order by id) = 1 order by region
select region, rank() over (order by price) as r from sales qualify r < 3 order by all
select id from sales where qty > 1 qualify row_number() over (order by id desc) <= 2 order by id
pivot cities on year using sum(people)
pivot cities on year using sum(people) group by city order by city
from (pivot cities on year using sum(people)) order by city
with p as (pivot cities on year using sum(people)) select * from p order by city
select * from cities pivot (sum(people) for year in (2000, 2010)) order by city
unpivot (select 1 as a, 2 as b) on a, b into name n value v
select * from (select 1 as a, 2 as b) unpivot (v for n in (a, b)) order by n
summarize select id from sales
select column_name, column_type from (describe sales)
describe select 1 as a
select [1, 2, 3] as l, [x * 2 for x in [1, 2, 3]] as doubled, [x for x in [1, 2, 3] if x > 1] as some
select {'a': 1, 'b': 'x'} as s, {'a': {'b': 2}}.a.b as deep, struct_pack(a := 1, b := 2)
select map {'k': 1, 'l': 2} as m, map {'k': 1}['k'] as v, map_keys(map {'k': 1}), map_values(map {'k': 1})
select map([1, 2], ['a', 'b'])
select list_transform([1, 2, 3], lambda x: x + 1), list_filter([1, 2, 3], lambda x: x > 1), list_reduce([1, 2, 3], lambda x, y: x + y)
select list_transform([1, 2], lambda x, i: x * i)
select list_sort([3, 1, 2]), list_reverse_sort([3, 1, 2]), list_distinct([1, 1]), list_contains([1, 2], 2), len([1, 2]), list_zip([1, 2], ['a', 'b'])
select [1, 2, 3, 4][2:3], [1, 2, 3][-1], 'hello'[2:3], 'hello'[1]
select list_aggregate([1, 2, 3], 'sum'), list_sum([1, 2]), list_avg([1, 2]), flatten([[1], [2]]), range(3), range(1, 4)[1]
select unnest([1, 2, 3]) as x
select unnest({'a': 1, 'b': 2})
select unnest([{'a': 1, 'b': 2}, {'a': 3, 'b': 4}], recursive := true)
select list(id order by id desc) from sales
select string_agg(region, ',' order by id), first(region order by id), last(region order by id), any_value(1), arg_max(region, price), arg_min(region, price), max(id, 2) from sales
select histogram(region) from sales
select approx_count_distinct(region), median(qty), quantile_cont(price, 0.5), mode(region), product(qty), entropy(region) > 0 from sales
select count_if(qty > 1), bool_and(id > 0), sum(qty) filter (id > 2)  from sales
select * from (values (1, 'a'), (2, 'b')) t(x, y) positional join (values (10), (20)) u(z)
select s.id, c.city from sales s asof join (values ('p', date '2024-01-01'), ('q', date '2024-02-02')) c(city, d) on s.at_day >= c.d order by s.id
select * from sales semi join cities on sales.id * 1000 + 1000 = cities.year order by id
select id from sales anti join (select 1 as id) o using (id) order by id
select * from range(3) t(i)
select * from range(date '2024-01-01', date '2024-01-03', interval 1 day) t(d)
select 1 as a union by name select 2 as b order by all
select * from (from range(2)) cross join (from range(2) t(j)) order by all
with t as materialized (select 1 as a) from t
select x, y from (select 1 as x), (select 2 as y)
select 10 // 3, 2 ** 3, 7 % 3, 5 & 3, xor(5, 3), 5 << 1, -7 // 2
select 'abc' glob 'a*', 'a' || 'b', printf('%d', 3)
select ('abc').upper(), ('hello world').split(' ')[1]
select format('{} {}', 1, 'x')
select starts_with('abc', 'a'), 'abc' ^@ 'a', contains('abc', 'b'), regexp_extract('a1b', '[0-9]'), regexp_full_match('abc', 'a.c'), levenshtein('a', 'b'), jaccard('ab', 'ac'), strip_accents('é')
select strftime(date '2024-05-17', '%Y/%m/%d'), strptime('2024-05-17', '%Y-%m-%d'), dayname(date '2024-05-17'), last_day(date '2024-02-01'), epoch_ms(0), time_bucket(interval '1 week', date '2024-05-17'), date_diff('day', date '2024-01-01', date '2024-02-01'), datepart('year', date '2024-01-01')
select to_days(3), to_hours(2), interval 3 days, interval (1 + 1) hours, age(date '2024-03-01', date '2024-01-01'), make_date(2024, 1, 2), today() = current_date
select try_cast('x' as int), cast('1' as int), '5'::int, typeof(1::hugeint), typeof(1.5), typeof([1]), typeof({'a': 1}), typeof(map {'a': 1}), typeof(null)
select 170141183460469231731687303715884105727::hugeint, 255::utinyint, 18446744073709551615::ubigint, 1::uhugeint, 'ab'::blob, '101'::bit
select union_value(num := 1), union_tag(union_value(num := 1)), union_extract(union_value(num := 1), 'num')
select [1, 2]::int[2], array_value(1, 2), array_distance([1.0, 2.0]::float[2], [1.0, 3.0]::float[2])
select 'a'::enum('a', 'b')
select json_extract('{"a": [1, 2]}', '$.a[0]'), '{"a": 1}'::json -> '$.a', json_keys('{"a": 1}'), json_structure('{"a": 1}'), json_object('a', 1), json_valid('{}')
select coalesce(null, 1), ifnull(null, 2), if(true, 1, 2), nullif(1, 1), greatest(1, 2), least(1, 2)
select hash('a') is not null, md5('a'), sha256('a'), uuid() is not null, random() < 1, pi(), gamma(5), even(3), bit_count(7), nextafter(1::double, 2) > 1
select sum(qty) over (order by id rows between unbounded preceding and current row exclude current row) from sales order by id
select lag(qty ignore nulls) over (order by id) from sales order by id
select id, sum(price) over w from sales window w as (partition by region order by id) order by id
select region, grouping_id(region), count(*) from sales group by grouping sets ((region), ()) order by all
select region, product, sum(qty) from sales group by cube (region, product) order by all
select distinct on (region) region, id from sales order by region, id
select * from sales using sample 100 percent (bernoulli) order by id
select id from sales order by id limit 40%
select * from sales limit 2 offset (select 1)
select a.x, b.y from (select 1 as x) a, lateral (select a.x + 1 as y) b
with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) from t order by n
select i, i + 1 as j, j * 2 as k from range(2) t(i) order by i
select qty as q from sales where q > 2 order by q
select max(price) as m from sales having m > 1
select getvariable('nothing')
select row(1, 'x'), (1, 'x')
select struct_extract({'a': 1}, 'a'), struct_insert({'a': 1}, b := 2), row_to_json({'a': 1}), to_json([1, null])
select 1_000_000, 1e3, .5
select "id" from "sales" where "region" = 'n' order by 1
select 'x' as "Mixed", 1 as MixedToo
create macro plus_one(a) as a + 1
select plus_one(2)
create macro rows_of(n) as table select * from range(n)
select * from rows_of(2)
create type mood as enum ('sad', 'ok')
select 'ok'::mood < 'sad'::mood
create table nested(s struct(a int, b varchar[]), m map(varchar, int), l int[][])
insert into nested values ({'a': 1, 'b': ['x', 'y']}, map {'k': 1}, [[1], [2, 3]])
select s.a, s.b[2], m['k'], l[2][1] from nested
select * from nested
select s.* from nested
insert into sales by name select 6 as id, 'e' as region
update sales set qty = 0 where qty is null
delete from sales where id = 6
create or replace table sales_copy as from sales
select count(*) from sales_copy

# What reaches outside the database.
!42501 select * from 'x.parquet'
!42501 select * from read_csv('/etc/passwd')
!42501 select * from read_parquet('x')
!0A000 copy sales to '/tmp/x.csv'
!0A000 attach '/tmp/x.duckdb'
!0A000 install httpfs
!42501 export database '/tmp/x'
