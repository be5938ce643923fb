-- Functions of Postgres's for times that DuckDB lacks, or has for fewer arguments.

CREATE MACRO memory.pgf._zone_offset(t) AS (epoch_us(t::TIMESTAMP) - epoch_us(t)) // 1000000;
CREATE MACRO memory.pgf.to_char(x, template) AS
    sessiondb_number_text(x::VARCHAR, template, CASE typeof(x) WHEN 'DOUBLE' THEN 15 WHEN 'FLOAT' THEN 6 ELSE 0 END),
  (x INTERVAL, template) AS sessiondb_interval_text(x, template),
  (x TIME, template) AS sessiondb_interval_text(to_microseconds(epoch_us(x)), template),
  (x TIMESTAMP, template) AS sessiondb_time_text(epoch_us(x), 0, '', template),
  (x DATE, template) AS sessiondb_time_text(epoch_us(x), memory.pgf._zone_offset(x::TIMESTAMPTZ), current_setting('TimeZone'), template),
  (x TIMESTAMPTZ, template) AS sessiondb_time_text(epoch_us(x::TIMESTAMP), memory.pgf._zone_offset(x), current_setting('TimeZone'), template);
CREATE MACRO memory.pgf.to_timestamp(x) AS system.main.to_timestamp(x),
  (s, template) AS CASE WHEN sessiondb_time_zoned(s, template) THEN system.main.make_timestamptz(sessiondb_to_time(s, template))
    ELSE make_timestamp(sessiondb_to_time(s, template))::TIMESTAMPTZ END;
CREATE MACRO memory.pgf.to_date(s, template) AS make_timestamp(sessiondb_to_time(s, template))::DATE;
CREATE MACRO memory.pgf.make_interval(years := 0, months := 0, weeks := 0, days := 0, hours := 0, mins := 0, secs := 0) AS
  to_months(years * 12 + months) + to_days(weeks * 7 + days) + to_microseconds(((hours::BIGINT * 60 + mins) * 60000000) + round(secs::DOUBLE * 1000000)::BIGINT);
CREATE MACRO memory.pgf.make_timestamptz(x) AS system.main.make_timestamptz(x),
  (y, mo, d, h, mi, s) AS make_timestamp(y, mo, d, h, mi, s)::TIMESTAMPTZ,
  (y, mo, d, h, mi, s, zone) AS timezone(zone, make_timestamp(y, mo, d, h, mi, s));
CREATE MACRO memory.pgf.make_date(x) AS system.main.make_date(x),
  (y, m, d) AS CASE WHEN y = 0 THEN error('[22008] date field value out of range: 0-' || m || '-' || d) ELSE system.main.make_date(CASE WHEN y < 0 THEN y + 1 ELSE y END, m, d) END;
CREATE MACRO memory.pgf.justify_days(i) AS sessiondb_justify_days(i::INTERVAL);
CREATE MACRO memory.pgf.justify_hours(i) AS sessiondb_justify_hours(i::INTERVAL);
CREATE MACRO memory.pgf.justify_interval(i) AS sessiondb_justify_interval(i::INTERVAL);
CREATE MACRO memory.pgf._stride(i) AS
  CASE WHEN datepart('year', i) <> 0 OR datepart('month', i) <> 0 THEN error('[0A000] timestamps cannot be binned into intervals containing months or years') ELSE i END;
CREATE MACRO memory.pgf.date_bin(stride, source, origin) AS time_bucket(memory.pgf._stride(stride::INTERVAL), source, origin);
CREATE MACRO memory.pgf._date_trunc(field, t) AS system.main.date_trunc(field, t), (field, t, zone) AS timezone(zone, date_trunc(field, timezone(zone, t)));
-- A century and a millennium begin with the year that ends in 1.
CREATE MACRO memory.pgf._date_trunc_from_one(field, t) AS date_trunc(field, t - to_years(1)) + to_years(1), (field, t INTERVAL) AS date_trunc(field, t);
CREATE MACRO memory.pgf.isfinite(x) AS system.main.isfinite(x), (x INTERVAL) AS x IS NOT NULL;
CREATE MACRO memory.pgf.transaction_timestamp() AS now();
CREATE MACRO memory.pgf.timeofday() AS strftime(now(), '%a %b %d %H:%M:%S.%f %Y ') || current_setting('TimeZone');
-- (s1, e1) OVERLAPS (s2, e2), where an end may be a length of time.
CREATE MACRO memory.pgf._overlap(s1, e1, s2, e2) AS
  CASE WHEN s1 IS NULL OR e1 IS NULL OR s2 IS NULL OR e2 IS NULL THEN NULL
    WHEN least(s1, e1) = least(s2, e2) THEN true
    WHEN least(s1, e1) > least(s2, e2) THEN least(s1, e1) < greatest(s2, e2)
    ELSE least(s2, e2) < greatest(s1, e1) END;
CREATE MACRO memory.pgf._overlaps(s1, e1, s2, e2) AS memory.pgf._overlap(s1, e1, s2, e2),
  (s1, e1 INTERVAL, s2, e2) AS memory.pgf._overlap(s1, s1 + e1, s2, e2),
  (s1, e1, s2, e2 INTERVAL) AS memory.pgf._overlap(s1, e1, s2, s2 + e2),
  (s1, e1 INTERVAL, s2, e2 INTERVAL) AS memory.pgf._overlap(s1, s1 + e1, s2, s2 + e2);
CREATE MACRO memory.pgf._interval_divided(i, n) AS sessiondb_interval_divided(i, n::DOUBLE);
CREATE MACRO memory.pgf._interval_times(i, n) AS sessiondb_interval_times(i, n::DOUBLE);
CREATE MACRO memory.pgf._time_minus(a, b) AS to_microseconds(epoch_us(a) - epoch_us(b));
-- t AT TIME ZONE z, where the zone is a distance from UTC.
CREATE MACRO memory.pgf._at_distance(t TIMESTAMP, z) AS timezone('UTC', t - z), (t TIMESTAMPTZ, z) AS timezone('UTC', t) + z;
