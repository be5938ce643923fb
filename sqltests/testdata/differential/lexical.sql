# Strings, names, comments and numbers, as Postgres reads them.
-- only a comment
/* only /* a nested */ comment */
;
;;
select 1;;select 2;
/* before */ select /* in /* nested */ side */ 1 -- behind
select 1 /* unterminated
select 'unterminated
select "unterminated
select $$unterminated
select $a$ unterminated $b$
select $$a'b"c\d$$, $tag$in $$ side$tag$, $_a1$x$_a1$
select 'it''s', 'a' 'b'
select 'a'
  'b'
select 'a' /* no newline */ 'b'
select E'\n\t\\\'', E'\101\x41\u0041\U00000041', E'\b\f\r' = chr(8) || chr(12) || chr(13)
select e'a' 'b'
select E'\u00'
select E'\xff'
select E'\uD83D\uDE00'
select E'\uD83D'
select E'\uDE00'
select E'\0'
select U&'d\0061t\+000061', U&'d!0061' uescape '!', U&'\\'
select U&'\D83D\DE00'
select U&'\D83D'
select U&'\00'
select U&"d\0061t"
select 1 as U&"d\0061t", 2 as U&"d!0061" uescape '!'
select U&'x' uescape '+'
\differs char-types names types
select n'national', N'x'
\differs bit-strings types
select b'101', x'1f', X'Ff'
\differs bit-strings error
select B''
select b'102'
select x'1g'
\differs number-literals error
select 1_000
\differs number-literals error
select 0x1f
\differs numeric-results types rows
select 1e5, 1.e1, .5, 5., 1.5e-3, 00012
select 1a
select 1.2.3
select 1..2
select 123abc
\differs number-literals error
select 0b1
select 9223372036854775807, 9223372036854775808, -9223372036854775808
\differs integer-limits types rows
select 2147483647, 2147483648, -2147483648
select 99999999999999999999999999999999999
select 1 as "Mixed Case", 2 as MiXed, 3 as "with ""quotes"""
select 1 as "";
select ""
select 1 as "é", 2 as é, 3 as É
select 1 as select
select 1 as a, 2 as user, 3 as name, 4 as type, 5 as value
select 1 select
\differs keywords error
select 1 between
select 1 name
select 1 value
select 'a' "b"
select 1 as abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
create table abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz (a int)
select * from abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk
select * from abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
drop table abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
select 1 as ééééééééééééééééééééééééééééééééééé
prepare abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz as select 1
execute abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk
deallocate abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
listen abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
unlisten *
savepoint abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz
\differs conforming-strings error
set standard_conforming_strings = off
\differs conforming-strings rows
show standard_conforming_strings
\differs conforming-strings error
select 'a\nb', E'a\nb', 'it\'s'
\differs conforming-strings settings
set standard_conforming_strings = on
select 'a\nb'
set backslash_quote = off
set escape_string_warning = off
select 5!=4, 5<>4, 1<=2, 1>=2, -(-1), - -1, +1, 2*-1, 2-+1
select -2^2, 2^3^2, -1::text
select 1 + + 1
select !1
select 1 !! 2
select @-5
select 1 <-> 2
select 1 @@@ 2
select 1=>2
select 1:2
select 1 \ 2
\differs duckdb-syntax error
select ?
select :a
select $
select $1a
select $0
\differs duckdb-syntax error
select 1 ,
select ,1
select (1
select 1)
\differs duckdb-syntax error
select [1]
\differs duckdb-syntax position
select {1}
select 'a' = $$a$$
\differs function-types rows types
select 'é', '日本', '😀', char_length('😀')
select '	tab'
select "é" from (select 1 as "é") x
select 1 as a; select 2 as b; select 3/0; select 4
