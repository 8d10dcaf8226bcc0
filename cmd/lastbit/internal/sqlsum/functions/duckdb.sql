-- exact_sum(x) for DuckDB: the real sum, rounded once, of numbers that are
-- multiples of 2^-places and below 2^(126 - places) together.
--
--   SELECT region, exact_sum(price) FROM trades GROUP BY region;
--   SELECT exact_sum(price, places := 40) FROM trades;
--
-- It is the same in any order and with any threads, and NULL for no numbers, as
-- sum is. A number with more places, NaN and an infinity are errors: for those
-- use the queries of lastbit sql. A sum of -0 only is 0. places is an integer
-- from 0 to 1000.
-- Columns are of floats, or of integers up to 2^53: DECIMAL would be rounded.
-- The last cast is of a text, since the one of a HUGEINT rounds twice.
CREATE OR REPLACE MACRO exact_sum(x, places := 60) AS
  CASE WHEN system.main.bool_and(x IS NULL OR system.main.typeof(x) IN ('DOUBLE', 'FLOAT')
      OR system.main.typeof(x) SIMILAR TO 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?'
        AND x BETWEEN -9007199254740992 AND 9007199254740992) IS FALSE
    THEN system.main.error('exact_sum: it takes floats, and integers up to 2^53; sum of ' ||
      'DECIMAL and of integers is exact')
    WHEN (places BETWEEN 0 AND 1000 AND places = system.main.trunc(places)) IS NOT TRUE
    THEN system.main.error('exact_sum: places is not an integer from 0 to 1000')
    WHEN system.main.bool_and(system.main.trunc(CAST(x AS DOUBLE) * system.main.pow(2.0, places))
        = CAST(x AS DOUBLE) * system.main.pow(2.0, places)) IS NOT FALSE
    THEN CAST(CAST(system.main.sum(CAST(CAST(x AS DOUBLE) * system.main.pow(2.0, places)
        AS HUGEINT)) AS VARCHAR) AS DOUBLE) * system.main.pow(2.0, -places)
    ELSE system.main.error('exact_sum: a number is not a multiple of 2^-places; give more ' ||
      'places') END;
