-- exact_sum(double precision) for PostgreSQL: the real sum, rounded once.
--
--   SELECT region, exact_sum(price) FROM trades GROUP BY region;
--
-- It is the same in any order, with any workers and in window frames; it is
-- NULL for no numbers, as sum is. lastbit sql --complete prints a query that is
-- faster, and creates nothing.

-- The units of 2^-1074 in a finite number: an integer.
CREATE OR REPLACE FUNCTION exact_units(x double precision) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN b < 0 THEN -1 ELSE 1 END
    * CASE WHEN (b >> 52) & 2047 = 0 THEN CAST(b & 4503599627370495 AS numeric)
      ELSE ((b & 4503599627370495) + 4503599627370496)
        * pg_catalog.power(CAST(2 AS numeric), ((b >> 52) & 2047) - 1) END
  FROM (SELECT CAST(CAST('x' || pg_catalog.encode(float8send(x), 'hex') AS bit(64)) AS bigint)
    AS b) AS t
$$;

-- A state: the sum of the finite numbers in units, and how many numbers, -0,
-- NaN, Infinity and -Infinity there are.
CREATE OR REPLACE FUNCTION exact_sum_add(s numeric[], x double precision) RETURNS numeric[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN x = 'NaN' THEN ARRAY[s[1], s[2] + 1, s[3], s[4] + 1, s[5], s[6]]
    WHEN x = 'Infinity' THEN ARRAY[s[1], s[2] + 1, s[3], s[4], s[5] + 1, s[6]]
    WHEN x = '-Infinity' THEN ARRAY[s[1], s[2] + 1, s[3], s[4], s[5], s[6] + 1]
    WHEN x = 0 THEN ARRAY[s[1], s[2] + 1, s[3] + CASE WHEN CAST(x AS text) = '-0' THEN 1 ELSE 0 END,
      s[4], s[5], s[6]]
    ELSE ARRAY[s[1] + exact_units(x), s[2] + 1, s[3], s[4], s[5], s[6]] END
$$;

CREATE OR REPLACE FUNCTION exact_sum_merge(s numeric[], t numeric[]) RETURNS numeric[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT ARRAY[s[1] + t[1], s[2] + t[2], s[3] + t[3], s[4] + t[4], s[5] + t[5], s[6] + t[6]]
$$;

-- Rounds a state. A number that rounds to 0 does not occur, since a sum is a
-- multiple of 2^-1074; one that rounds to an infinity is an error in a cast.
CREATE OR REPLACE FUNCTION exact_sum_round(s numeric[]) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN s[2] = 0 THEN NULL
    WHEN s[4] > 0 OR s[5] > 0 AND s[6] > 0 THEN CAST('NaN' AS double precision)
    WHEN s[5] > 0 OR s[1] >= m THEN CAST('Infinity' AS double precision)
    WHEN s[6] > 0 OR s[1] <= -m THEN CAST('-Infinity' AS double precision)
    WHEN s[2] = s[3] THEN CAST('-0' AS double precision)
    ELSE CAST(s[1] * $UNIT AS double precision) END
  FROM (SELECT pg_catalog.power(CAST(2 AS numeric), 2098)
    - pg_catalog.power(CAST(2 AS numeric), 2044) AS m) AS t
$$;

DROP AGGREGATE IF EXISTS exact_sum(double precision);
CREATE AGGREGATE exact_sum(double precision) (
  SFUNC = exact_sum_add, STYPE = numeric[], INITCOND = '{0,0,0,0,0,0}',
  COMBINEFUNC = exact_sum_merge, FINALFUNC = exact_sum_round, PARALLEL = SAFE
);

-- exact_sum(numeric) and exact_sum(bigint): sums of integers of any length,
-- rounded once. Without them these numbers would be made doubles, and rounded.
CREATE OR REPLACE FUNCTION exact_sum_add(s numeric, x bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN x IS NULL THEN s ELSE COALESCE(s, 0) + x END
$$;

DROP AGGREGATE IF EXISTS exact_sum(numeric);
CREATE AGGREGATE exact_sum(numeric) (
  SFUNC = numeric_add, STYPE = numeric, COMBINEFUNC = numeric_add, FINALFUNC = float8,
  PARALLEL = SAFE
);
DROP AGGREGATE IF EXISTS exact_sum(bigint);
CREATE AGGREGATE exact_sum(bigint) (
  SFUNC = exact_sum_add, STYPE = numeric, COMBINEFUNC = numeric_add, FINALFUNC = float8,
  PARALLEL = SAFE
);
