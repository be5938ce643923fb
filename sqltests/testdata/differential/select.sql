select 1
select 1, 'a', null, 1.5, true
