package lastbit;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * An integer of units of 2^{@value #UNIT}, in digits of 32 bits that are held
 * as signed 64-bit numbers: Σ digit[i]·2^(32·(low + i)). Digits may exceed 32
 * bits until they are carried. The array covers the digits that have been
 * touched, and grows on demand.
 *
 * <p>The unit is the product of the two smallest subnormal numbers, and there
 * is room for 2^63 products of the two largest numbers: Kulisch's long
 * accumulator, as in the type fixed of lastbit's Go package exact.
 *
 * <p>Reference: Ulrich Kulisch and Van Snyder. The Exact Dot Product as Basic
 * Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
 */
final class Digits {
  static final int UNIT = -2 * 1074;

  /** The digits that a sum of 2^63 products needs. */
  static final int COUNT = (2 * 1024 + 63 - UNIT + 31) / 32;

  /** The bound of the last digit of a state in bytes. */
  static final long MAX_LAST = 1 << 16;

  /**
   * The additions between two carries. Each changes a digit by less than 2^32,
   * so that 2^29 of them stay below 2^61.
   */
  private static final int MAX_ADDS = 1 << 29;

  private static final long MASK = 0xffffffffL;
  private static final long[] NONE = {};

  private long[] digit = NONE;
  private int low;
  private int added;

  /** Adds ±m·2^e, with m taken as unsigned, and sign 0 or −1. */
  void add(long sign, long m, int e) {
    int position = e - UNIT;
    int shift = position & 31;
    int i = reach(position >>> 5, 3);
    long[] d = digit;
    long shifted = m << shift;
    d[i] += ((shifted & MASK) ^ sign) - sign;
    d[i + 1] += ((shifted >>> 32) ^ sign) - sign;
    d[i + 2] += ((m >>> 1 >>> (63 - shift)) ^ sign) - sign;
  }

  /** Adds ±(hi·2^64 + lo)·2^e. */
  void addWide(long sign, long hi, long lo, int e) {
    int position = e - UNIT;
    int shift = position & 31;
    int i = reach(position >>> 5, 5);
    long[] d = digit;
    long a = lo << shift;
    long b = lo >>> 1 >>> (63 - shift) | hi << shift;
    long c = hi >>> 1 >>> (63 - shift);
    d[i] += ((a & MASK) ^ sign) - sign;
    d[i + 1] += ((a >>> 32) ^ sign) - sign;
    d[i + 2] += ((b & MASK) ^ sign) - sign;
    d[i + 3] += ((b >>> 32) ^ sign) - sign;
    d[i + 4] += (c ^ sign) - sign;
  }

  /** Adds a number, or subtracts it with sign −1. The other stays. */
  void add(long sign, Digits other) {
    Digits o = other.carried();
    if (o.digit.length == 0) {
      return;
    }
    int i = reach(o.low, o.digit.length);
    for (long v : o.digit) {
      digit[i++] += (v ^ sign) - sign;
    }
  }

  /** Makes room for one more addition to n digits, and returns their index. */
  private int reach(int first, int n) {
    if (++added >= MAX_ADDS) {
      carry();
      added++;
    }
    int i = first - low;
    if (i >= 0 && i + n <= digit.length) {
      return i;
    }
    grow(first, first + n);
    return first - low;
  }

  /** Makes the array cover the digits from first up to end, exclusively. */
  private void grow(int first, int end) {
    if (digit.length == 0) {
      digit = new long[end - first];
      low = first;
      return;
    }
    int from = Math.min(low, first);
    int to = Math.max(low + digit.length, end);
    if (to > COUNT) {
      throw new ArithmeticException("lastbit: a sum is too large for its state");
    }
    long[] wider = new long[to - from];
    System.arraycopy(digit, 0, wider, low - from, digit.length);
    digit = wider;
    low = from;
  }

  /**
   * Brings every digit except the last into [0, 2^32). The last one holds the
   * sign, and is in [−2^31, 2^31), except the last digit of all.
   */
  private void carry() {
    int last = digit.length - 1;
    if (last < 0) {
      return;
    }
    long c = 0;
    for (int i = 0; i < last; i++) {
      c += digit[i];
      digit[i] = c & MASK;
      c >>= 32;
    }
    digit[last] += c;
    while (digit[last] != (int) digit[last] && low + last < COUNT - 1) {
      long v = digit[last];
      grow(low + last, low + last + 2);
      digit[last] = v & MASK;
      digit[++last] = v >> 32;
    }
    added = 1;
  }

  /** Returns a copy that is carried. */
  private Digits carried() {
    Digits c = new Digits();
    c.digit = digit.clone();
    c.low = low;
    c.carry();
    return c;
  }

  /** Returns the magnitude: digits in [0, 2^32), neither the first nor the last 0. */
  Magnitude magnitude() {
    Digits c = carried();
    boolean negative = c.digit.length > 0 && c.digit[c.digit.length - 1] < 0;
    if (negative) {
      for (int i = 0; i < c.digit.length; i++) {
        c.digit[i] = -c.digit[i];
      }
      c.carry();
    }
    int first = 0;
    int end = c.digit.length;
    while (end > 0 && c.digit[end - 1] == 0) {
      end--;
    }
    while (first < end && c.digit[first] == 0) {
      first++;
    }
    if (first == end) {
      return new Magnitude(false, 0, NONE);
    }
    if (c.digit[end - 1] > MASK) {
      throw new ArithmeticException("lastbit: a sum is too large for its state");
    }
    return new Magnitude(negative, c.low + first, Arrays.copyOfRange(c.digit, first, end));
  }

  /** Returns the number of a magnitude. */
  static Digits of(Magnitude m) {
    Digits d = new Digits();
    if (m.digit.length == 0) {
      return d;
    }
    d.low = m.low;
    d.digit = m.digit.clone();
    if (m.negative) {
      for (int i = 0; i < d.digit.length; i++) {
        d.digit[i] = -d.digit[i];
      }
    }
    d.carry();
    return d;
  }

  /** A sign and digits in [0, 2^32), neither the first nor the last of them 0. */
  static final class Magnitude {
    final boolean negative;
    final int low;
    final long[] digit;

    Magnitude(boolean negative, int low, long[] digit) {
      this.negative = negative;
      this.low = low;
      this.digit = digit;
    }

    boolean isZero() {
      return digit.length == 0;
    }

    /** Returns the absolute value as a multiple of 2^exponent(). */
    BigInteger integer() {
      byte[] b = new byte[4 * digit.length];
      for (int i = 0; i < b.length; i++) {
        b[b.length - 1 - i] = (byte) (digit[i / 4] >>> 8 * (i % 4));
      }
      return new BigInteger(1, b);
    }

    int exponent() {
      return 32 * low + UNIT;
    }

    /** Rounds the number once, to nearest, ties to even. It is not zero. */
    long round(Format format) {
      int top = digit.length - 1;
      int z = Long.numberOfLeadingZeros(digit[top]); // at least 32
      long m = digit[top] << z | pair(top - 1) >>> 64 - z;
      boolean sticky = pair(top - 1) << z != 0;
      for (int i = top - 3; i >= 0 && !sticky; i--) {
        sticky = digit[i] != 0;
      }
      return format.round(negative, m, 32 * (low + top) + UNIT + 63 - z, sticky);
    }

    /** Returns the digits i and i − 1 as one number. */
    private long pair(int i) {
      long p = i >= 0 ? digit[i] << 32 : 0;
      return i >= 1 ? p | digit[i - 1] : p;
    }
  }
}
