# COPY in and out, its options and its errors.
create table t(a int, b text, c numeric(6,2))
copy t from stdin
|1	one	1.50
|2	\N	2
|3	tab\there\\	\N
copy t to stdout
copy t(b, a) to stdout
copy (select a, b from t order by a) to stdout
copy (select a, b from t order by a) to stdout with csv
copy (select a, b from t order by a) to stdout (format csv, header)
copy (select a, b from t order by a) to stdout with (format csv, delimiter ';', null 'NULL', quote '''')
copy (select 'a"b' as x, 'c,d' as y, '' as z, null as n) to stdout (format csv, header true, force_quote *)
copy (select 'a"b' as x, 'c,d' as y, '' as z, null as n) to stdout (format csv, force_quote (x), escape '\')
copy (select 'x|y', E'a\nb', E'back\\slash', E'bell\x07', E'\b\f\v') to stdout (delimiter '|', null '?')
copy (select 1 as a) to stdout (header)
copy (select 1::int, 1.5::numeric, 'x') to stdout (format binary)
copy (select 1::int, 1.5::numeric, 'x') to stdout with binary
copy binary t to stdout
copy (select true, date '2024-01-01', timestamp '2024-01-01 10:00', interval '1 day', '\x01'::bytea, array[1,null], 1.5::float8) to stdout
copy (select true, date '2024-01-01', timestamp '2024-01-01 10:00', interval '1 day', '\x01'::bytea, array[1,null], 1.5::float8) to stdout (format binary)
copy (select 1 where false) to stdout
copy (select 1 where false) to stdout (format csv, header)
copy (values (1, 'a'), (2, 'b')) to stdout csv delimiter ';'
copy (select 1/0) to stdout
copy (select nope) to stdout
copy (insert into t values (4, 'ret', 4) returning a, b) to stdout
copy t(a,b) from stdin with (format csv, header)
|a,b
|5,"five, ""quoted"""
|6,
|7,""
copy t(a,b) from stdin
|8	x
|\.
copy t (a, b) from stdin (format csv, header match)
|a,b
|9,nine
copy t (a, b) from stdin (format csv, header match)
|a,x
|9,nine
copy t from stdin (format csv, null 'NULL', delimiter ';', quote '''', escape '\')
|10;'te\'n';NULL
copy t from stdin delimiter '|' null 'nix'
|11|eleven|nix
copy t from stdin csv force not null b
|12,,1
copy t from stdin (format csv, force_null (b))
|13,"",1
copy t(a) from stdin
|14
|15
copy t from stdin where a > 100
|101	x	1
|16	y	1
select * from t order by a
copy t from stdin
|x	y	1
copy t from stdin
|20	y	1
|21	y	1
|bad	y	1
|22	y	1
copy t from stdin
|20	y
copy t from stdin
|20	y	1	extra
copy t from stdin
|20	y	99999999
\differs copy-lines fields
copy t from stdin (format csv)
|20,"unterminated
copy t from stdin (format csv)
|1,x,1
|2,x,notnum
copy t from stdin (format csv)
|1,x
copy t from stdin (format csv)
|1,x,1,2
\differs copy-lines fields
copy t from stdin
|20	y	1
|!fail
copy t(nope) from stdin
|1
\differs copy-checks error
copy t(a, a) from stdin
|1
copy nothere from stdin
|1
copy t from stdin (format nope)
copy t from stdin (delimiter 'xx')
copy t from stdin (delimiter E'\n')
copy t from stdin (format csv, quote 'xx')
copy t from stdin (quote '"')
copy t from stdin (nope true)
copy t from stdin (format csv, format csv)
copy t from stdin (null E'a\nb')
copy t to stdout (force_null (a))
copy t from stdin (force_quote *)
\differs server-files error
copy t to '/nonexistent/x'
\differs server-files error
copy t from program 'x'
\differs binary-data error
copy t from stdin binary
|0x5047434f50590aff0d0a00000000000000000000030000000400000017ffffffff00000000ffff
copy t(a, b) from stdin binary
|0x5047434f50590aff0d0a00000000000000000000020000000400000017000000026869ffff
\differs binary-data fields
copy t from stdin binary
|0x00
\differs binary-data error
copy t(a, b) from stdin binary
|0x5047434f50590aff0d0a0000000000000000000002000000020017000000026869ffff
select * from t where a > 19 order by a
create table u(id int primary key, b bool, d date)
\differs constraint-names detail fields
copy u from stdin
|1	t	2024-01-01
|1	f	2024-01-01
copy u from stdin
|1	t	2024-01-01
|2	maybe	2024-01-01
\differs constraint-details detail
copy u from stdin
|\N	t	2024-01-01
copy u from stdin
|1	t	2024-02-30
copy u from stdin (encoding 'UTF8')
|1	yes	2024-02-28
begin
copy u from stdin
|2	t	2024-01-01
copy u from stdin
|3	t	x
select 1
rollback
select * from u
copy u to stdout; select 1
