-- exact_sum(x) for DuckDB: the real sum, rounded once, of numbers that are
-- multiples of 2^-places and below 2^(126 - places) together.
--
--   SELECT region, exact_sum(price) FROM trades GROUP BY region;
--   SELECT exact_sum(price, places := 40) FROM trades;
--
-- It is the same in any order and with any threads, and NULL for no numbers, as
-- sum is. A number with more places, NaN and an infinity are errors: for those
-- use the queries of lastbit sql. A sum of -0 only is 0. places is 0 to 1000.
CREATE OR REPLACE MACRO exact_sum(x, places := 60) AS
  CASE WHEN bool_and(CAST(CAST(CAST(x AS DOUBLE) * pow(2.0, places) AS HUGEINT) AS DOUBLE)
      = CAST(x AS DOUBLE) * pow(2.0, places)) IS NOT FALSE
    THEN CAST(sum(CAST(CAST(x AS DOUBLE) * pow(2.0, places) AS HUGEINT)) AS DOUBLE)
      * pow(2.0, -places)
    ELSE error('exact_sum: a number is not a multiple of 2^-places; give more places') END;
