-- Functions of Postgres's that DuckDB lacks, as far as an expression can give them.

-- to_char's template as strftime's. Of Postgres's patterns the ones for dates and times are known.
CREATE MACRO memory.pgc._pattern(p) AS
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(p, 'HH24', '%H'), 'HH12', '%I'), 'HH', '%I'), 'IYYY', '%G'), 'YYYY', '%Y'), 'YY', '%y'), 'Month', '%B'), 'Mon', '%b'), 'MM', '%m'), 'MI', '%M'),
    'SS', '%S'), 'US', '%f'), 'MS', '%g'), 'DDD', '%j'), 'DD', '%d'), 'Day', '%A'), 'Dy', '%a'), 'AM', '%p'), 'PM', '%p'), 'IW', '%V');
CREATE MACRO memory.pgc.to_char(x, pattern) AS strftime(x, memory.pgc._pattern(pattern));
CREATE MACRO memory.pgc.div(a, b) AS trunc(a / b);
CREATE MACRO memory.pgc.date_bin(stride, source, origin) AS time_bucket(stride, source, origin);
CREATE MACRO memory.pgc.width_bucket(x, low, high, buckets) AS
  CASE WHEN x < low THEN 0 WHEN x >= high THEN buckets + 1 ELSE floor((x - low) * buckets / (high - low)) + 1 END::INTEGER;
