-- Functions of Postgres's for numbers that DuckDB lacks, or has for fewer arguments.

CREATE MACRO memory.pgf.to_number(s, template) AS sessiondb_to_number(s, template)::DECIMAL(38,10);
CREATE MACRO memory.pgf.div(a, b) AS trunc(a / b);
CREATE MACRO memory.pgf.scale(n) AS length(split_part(n::VARCHAR, '.', 2))::INTEGER;
CREATE MACRO memory.pgf.min_scale(n) AS length(rtrim(split_part(n::VARCHAR, '.', 2), '0'))::INTEGER;
CREATE MACRO memory.pgf.width_bucket(x, bounds) AS len(list_filter(bounds, lambda _b: _b <= x))::INTEGER,
(x, low, high, buckets) AS
  CASE WHEN buckets <= 0 THEN error('[2201G] count must be greater than zero')
    WHEN low = high THEN error('[2201G] lower bound cannot equal upper bound')
    WHEN isnan(x::DOUBLE) OR isnan(low::DOUBLE) OR isnan(high::DOUBLE) THEN error('[2201G] operand, lower bound, and upper bound cannot be NaN')
    WHEN isinf(low::DOUBLE) OR isinf(high::DOUBLE) THEN error('[2201G] lower and upper bounds must be finite')
    WHEN low < high THEN CASE WHEN x < low THEN 0 WHEN x >= high THEN buckets + 1 ELSE floor((x - low) * buckets / (high - low)) + 1 END
    ELSE CASE WHEN x > low THEN 0 WHEN x <= high THEN buckets + 1 ELSE floor((low - x) * buckets / (low - high)) + 1 END END::INTEGER;
-- In degrees, so that what is exact in mathematics is exact here.
CREATE MACRO memory.pgf._asind(x) AS
  CASE WHEN x <= 0.5 THEN (asin(x) / asin(0.5)) * 30.0 ELSE 90.0 - (acos(x) / acos(0.5)) * 60.0 END;
CREATE MACRO memory.pgf._acosd(x) AS
  CASE WHEN x <= 0.5 THEN 90.0 - (asin(x) / asin(0.5)) * 30.0 ELSE (acos(x) / acos(0.5)) * 60.0 END;
CREATE MACRO memory.pgf.asind(x) AS CASE WHEN x >= 0 THEN memory.pgf._asind(x) ELSE -memory.pgf._asind(-x) END;
CREATE MACRO memory.pgf.acosd(x) AS CASE WHEN x >= 0 THEN memory.pgf._acosd(x) ELSE 90.0 + memory.pgf._asind(-x) END;
CREATE MACRO memory.pgf.atand(x) AS (atan(x) / atan(1.0)) * 45.0;
CREATE MACRO memory.pgf.atan2d(y, x) AS (atan2(y, x) / atan(1.0)) * 45.0;
CREATE MACRO memory.pgf._sind_small(x) AS CASE WHEN x <= 30 THEN (sin(radians(x)) / sin(radians(30.0))) / 2.0
  ELSE 1.0 - ((1.0 - cos(radians(90.0 - x))) / (1.0 - cos(radians(60.0)))) / 2.0 END;
CREATE MACRO memory.pgf._sind_positive(x) AS CASE WHEN x > 180 THEN -memory.pgf._sind_small(CASE WHEN x - 180 > 90 THEN 360 - x ELSE x - 180 END)
  WHEN x > 90 THEN memory.pgf._sind_small(180 - x) ELSE memory.pgf._sind_small(x) END;
CREATE MACRO memory.pgf.sind(x) AS CASE WHEN isinf(x::DOUBLE) THEN error('[22003] input is out of range') WHEN x < 0 THEN -memory.pgf._sind_positive(-x % 360) ELSE memory.pgf._sind_positive(x % 360) END;
CREATE MACRO memory.pgf.cosd(x) AS CASE WHEN isinf(x::DOUBLE) THEN error('[22003] input is out of range') ELSE memory.pgf._sind_positive((abs(x) + 90) % 360) END;
CREATE MACRO memory.pgf._quotient(a, b) AS CASE WHEN b = 0 THEN a * 'inf'::DOUBLE ELSE a / b + 0.0 END;
CREATE MACRO memory.pgf.tand(x) AS memory.pgf._quotient(memory.pgf.sind(x), memory.pgf.cosd(x));
CREATE MACRO memory.pgf.cotd(x) AS memory.pgf._quotient(memory.pgf.cosd(x), memory.pgf.sind(x));
-- The quotient is a float: what is a whole number in mathematics must not be a little less.
CREATE MACRO memory.pgf._series(a, b, step) AS
  CASE WHEN step = 0 THEN error('[22023] step size cannot equal zero') ELSE list_transform(range(0, floor((b - a) / step + 1e-9)::BIGINT + 1), lambda _i: a + _i * step) END;
