package lastbit;

import java.math.BigInteger;

/** A binary interchange format, and the one rounding to it. */
enum Format {
  BINARY64(53, -1022, 1023),
  BINARY32(24, -126, 127);

  private final int precision;
  private final int minExponent;
  private final int maxExponent;

  Format(int precision, int minExponent, int maxExponent) {
    this.precision = precision;
    this.minExponent = minExponent;
    this.maxExponent = maxExponent;
  }

  /**
   * Returns the bits of the number nearest to ±(m + s)·2^(e − 63), ties to
   * even. The unsigned m has its top bit set, and s is in (0, 1) if sticky,
   * otherwise 0. A number that is too large becomes an infinity.
   */
  long round(boolean negative, long m, int e, boolean sticky) {
    int drop = 64 - precision + Math.max(minExponent - e, 0); // bits of m that are dropped
    long q = drop < 64 ? m >>> drop : 0;
    long rest = drop <= 64 ? m << 64 - drop : 0;
    int above = Long.compareUnsigned(rest, Long.MIN_VALUE); // with one half
    if (above > 0 || above == 0 && (sticky || (q & 1) != 0)) {
      q++; // a carry goes into the exponent, as it should
    }
    int p = precision - 1; // stored bits of a significand
    if (e > maxExponent) {
      q = 2L * maxExponent + 1 << p;
    } else if (e >= minExponent) {
      q += (long) (e - minExponent) << p;
    }
    if (negative) {
      q |= 1L << p + 64 - Long.numberOfLeadingZeros(2L * maxExponent);
    }
    return q;
  }

  /** Returns the bits of ±a/b·2^e, rounded once. Both are positive. */
  long roundQuotient(boolean negative, BigInteger a, BigInteger b, int e) {
    // 66 bits of the quotient are more than the 64 that are rounded. The rest
    // only decides whether it is zero.
    int shift = 66 + b.bitLength() - a.bitLength();
    BigInteger[] q = shift > 0
        ? a.shiftLeft(shift).divideAndRemainder(b)
        : a.divideAndRemainder(b.shiftLeft(-shift));
    int drop = q[0].bitLength() - 64;
    boolean sticky = q[1].signum() != 0 || q[0].getLowestSetBit() < drop;
    return round(negative, q[0].shiftRight(drop).longValue(), e - shift + drop + 63, sticky);
  }
}
