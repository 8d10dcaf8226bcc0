package lastbit;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * An exact sum of numbers and of products of two, before it is rounded:
 * lastbit's exact.Accumulator, with the same bytes.
 *
 * <p>A state is a set of integers. It depends on the multiset of summands and
 * on nothing else, so states merge in any order. A result is the real sum,
 * rounded once, to nearest, ties to even. It is NaN if a summand is NaN, if
 * +Infinity and −Infinity both occur, or for a product ∞·0; otherwise an
 * infinity that occurs is the sum. The sum is −0 if every summand is −0 and
 * there is one; any other zero is +0.
 *
 * <p>A state of numbers of similar size takes about 100 bytes, and 1.1 KiB at
 * most. Two threads must not use one at once.
 *
 * <p>More than 2^63 − 1 summands are an ArithmeticException, which leaves the
 * state unchanged.
 */
public final class State implements Externalizable {
  private static final long serialVersionUID = 1L;
  private static final long FRACTION = (1L << 52) - 1;

  private Digits sum = new Digits();
  private long all; // summands
  private long negativeZeros; // summands that are −0
  private long nan;
  private long positiveInfinities;
  private long negativeInfinities;

  /** Makes an empty sum. */
  public State() {}

  State(long[] counts, Digits sum) {
    setCounts(counts);
    this.sum = sum;
  }

  private void setCounts(long[] counts) {
    all = counts[0];
    negativeZeros = counts[1];
    nan = counts[2];
    positiveInfinities = counts[3];
    negativeInfinities = counts[4];
  }

  /** Returns the counts in the order of the bytes. */
  long[] counts() {
    return new long[] {all, negativeZeros, nan, positiveInfinities, negativeInfinities};
  }

  Digits sum() {
    return sum;
  }

  /** Returns the number of summands: numbers and products. */
  public long count() {
    return all;
  }

  /** Adds x. */
  public void add(double x) {
    long n = Math.addExact(all, 1);
    long b = Double.doubleToRawLongBits(x);
    int e = (int) (b >>> 52) & 0x7ff;
    long m = b & FRACTION;
    if (e == 0x7ff) {
      special(x);
    } else if (e == 0 && m == 0) {
      zero(b != 0);
    } else {
      m |= e == 0 ? 0 : 1L << 52;
      sum.add(b >> 63, m, Math.max(e, 1) - 1075);
    }
    all = n;
  }

  /** Adds x exactly, without rounding it to the 53 bits of a double. */
  public void add(long x) {
    all = Math.addExact(all, 1);
    if (x != 0) {
      sum.add(x >> 63, (x ^ x >> 63) - (x >> 63), 0);
    }
  }

  /** Adds x·y, unrounded. */
  public void addProduct(double x, double y) {
    long n = Math.addExact(all, 1);
    long sign = (Double.doubleToRawLongBits(x) ^ Double.doubleToRawLongBits(y)) >> 63;
    if (!Double.isFinite(x) || !Double.isFinite(y)) {
      special(x * y);
    } else if (x == 0 || y == 0) {
      zero(sign != 0);
    } else {
      long a = significand(x);
      long b = significand(y);
      sum.addWide(sign, Math.multiplyHigh(a, b), a * b, exponent(x) + exponent(y));
    }
    all = n;
  }

  /** Returns the integer m of |x| = m·2^exponent(x). */
  private static long significand(double x) {
    long b = Double.doubleToRawLongBits(x);
    return (b & FRACTION) | ((b >>> 52 & 0x7ff) == 0 ? 0 : 1L << 52);
  }

  private static int exponent(double x) {
    int e = (int) (Double.doubleToRawLongBits(x) >>> 52) & 0x7ff;
    return Math.max(e, 1) - 1075;
  }

  private void special(double x) {
    if (x > 0) {
      positiveInfinities = Math.addExact(positiveInfinities, 1);
    } else if (x < 0) {
      negativeInfinities = Math.addExact(negativeInfinities, 1);
    } else {
      nan = Math.addExact(nan, 1);
    }
  }

  private void zero(boolean negative) {
    if (negative) {
      negativeZeros = Math.addExact(negativeZeros, 1);
    }
  }

  /** Adds every summand of another state, which stays as it is. */
  public void merge(State other) {
    long[] mine = counts();
    long[] c = other.counts();
    for (int i = 0; i < c.length; i++) {
      c[i] = Math.addExact(mine[i], c[i]);
    }
    sum.add(0, other.sum);
    setCounts(c);
  }

  /** Removes every summand of another state: the inverse of merge. */
  public void subtract(State other) {
    long[] mine = counts();
    long[] c = other.counts();
    for (int i = 0; i < c.length; i++) {
      c[i] = Math.subtractExact(mine[i], c[i]);
    }
    sum.add(-1, other.sum);
    setCounts(c);
  }

  /** Returns the sum, rounded once. */
  public double toDouble() {
    if (isSpecial()) {
      return specialSum();
    }
    Digits.Magnitude m = sum.magnitude();
    return m.isZero() ? zeroSum() : Double.longBitsToDouble(m.round(Format.BINARY64));
  }

  /** Returns the sum, rounded once. */
  public float toFloat() {
    if (isSpecial()) {
      return (float) specialSum();
    }
    Digits.Magnitude m = sum.magnitude();
    return m.isZero() ? (float) zeroSum() : Float.intBitsToFloat((int) m.round(Format.BINARY32));
  }

  /** Returns the sum divided by the count, rounded once. */
  public double mean() {
    if (isSpecial()) {
      return specialSum() / all;
    }
    Digits.Magnitude m = sum.magnitude();
    if (m.isZero() || all == 0) {
      return (m.isZero() ? zeroSum() : m.negative ? -1 : 1) / all;
    }
    BigInteger n = BigInteger.valueOf(all);
    return Double.longBitsToDouble(
        Format.BINARY64.roundQuotient(m.negative != all < 0, m.integer(), n.abs(), m.exponent()));
  }

  private boolean isSpecial() {
    return (nan | positiveInfinities | negativeInfinities) != 0;
  }

  private double specialSum() {
    if (nan != 0 || positiveInfinities != 0 && negativeInfinities != 0) {
      return Double.NaN;
    }
    return positiveInfinities != 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  private double zeroSum() {
    return all != 0 && negativeZeros == all ? -0.0 : 0.0;
  }

  /** Returns the 11 to 590 canonical bytes of the state. */
  public byte[] toBytes() {
    return Bytes.of(this);
  }

  /**
   * Returns the state in bytes. Each state has one form: bytes that toBytes does
   * not return are an IllegalArgumentException.
   */
  public static State fromBytes(byte[] b) {
    return new Bytes(b).state();
  }

  /** Returns the sum of the state in bytes, rounded once. */
  public static double sumOf(byte[] b) {
    return fromBytes(b).toDouble();
  }

  /** Returns the SHA-256 hash of the bytes. */
  public byte[] digest() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(toBytes());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    byte[] b = toBytes();
    out.writeShort(b.length);
    out.write(b);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    byte[] b = new byte[in.readUnsignedShort()];
    in.readFully(b);
    State s = fromBytes(b);
    setCounts(s.counts());
    sum = s.sum;
  }
}
