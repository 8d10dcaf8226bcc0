package lastbit;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The bytes of a state, as the page docs/reference/state.md has them: {@code
 * lbxa}, the version 1, five counts as signed varints, then the sign of the
 * sum, the number of digits at its lower end that are 0, the number of digits
 * that follow, and these, each with its lowest byte first.
 */
final class Bytes {
  private static final byte[] HEADER = {'l', 'b', 'x', 'a', 1};
  private static final int ZERO = 0;
  private static final int POSITIVE = 1;
  private static final int NEGATIVE = 2;

  private final byte[] b;
  private int next;

  Bytes(byte[] b) {
    this.b = b;
  }

  /** Returns the bytes of a state. */
  static byte[] of(State s) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    out.writeBytes(HEADER);
    for (long c : s.counts()) {
      writeNumber(out, c << 1 ^ c >> 63);
    }
    Digits.Magnitude m = s.sum().magnitude();
    if (m.isZero()) {
      out.write(ZERO);
      return out.toByteArray();
    }
    out.write(m.negative ? NEGATIVE : POSITIVE);
    writeNumber(out, m.low);
    writeNumber(out, m.digit.length);
    for (long d : m.digit) {
      for (int shift = 0; shift < 32; shift += 8) {
        out.write((int) (d >>> shift));
      }
    }
    return out.toByteArray();
  }

  /** Writes an unsigned varint. */
  private static void writeNumber(ByteArrayOutputStream out, long v) {
    for (; v >>> 7 != 0; v >>>= 7) {
      out.write((int) v | 0x80);
    }
    out.write((int) v);
  }

  /** Reads a state, to the end of the bytes. */
  State state() {
    if (b.length < HEADER.length
        || !Arrays.equals(b, 0, HEADER.length - 1, HEADER, 0, HEADER.length - 1)) {
      throw refused("they begin otherwise");
    }
    next = HEADER.length;
    if (b[next - 1] != HEADER[next - 1]) {
      throw refused("their version is " + (b[next - 1] & 0xff) + ", and this program knows version 1");
    }
    long[] counts = new long[5];
    for (int i = 0; i < counts.length; i++) {
      long v = readNumber();
      counts[i] = v >>> 1 ^ -(v & 1);
    }
    State s = new State(counts, Digits.of(readMagnitude()));
    if (next != b.length) {
      throw refused("something follows them");
    }
    return s;
  }

  private Digits.Magnitude readMagnitude() {
    int sign = readByte();
    if (sign == ZERO) {
      return new Digits.Magnitude(false, 0, new long[0]);
    }
    long first = readNumber();
    long n = readNumber();
    if (sign > NEGATIVE || first < 0 || first >= Digits.COUNT || n <= 0
        || n > Digits.COUNT - first) {
      throw refused("a number is out of range");
    }
    long[] digit = new long[(int) n];
    for (int i = 0; i < n; i++) {
      for (int shift = 0; shift < 32; shift += 8) {
        digit[i] |= (long) readByte() << shift;
      }
    }
    if (digit[0] == 0 || digit[(int) n - 1] == 0) {
      throw refused("a number is not in its shortest form");
    }
    if (first + n == Digits.COUNT && digit[(int) n - 1] >= Digits.MAX_LAST) {
      throw refused("a number is out of range");
    }
    return new Digits.Magnitude(sign == NEGATIVE, (int) first, digit);
  }

  private int readByte() {
    if (next == b.length) {
      throw refused("they end too early");
    }
    return b[next++] & 0xff;
  }

  /** Reads an unsigned varint in its shortest form. */
  private long readNumber() {
    long v = 0;
    for (int shift = 0; ; shift += 7) {
      int c = readByte();
      if (shift == 63 && c > 1 || shift > 0 && c == 0) {
        throw refused("a number is not in its shortest form");
      }
      v |= (long) (c & 0x7f) << shift;
      if (c < 0x80) {
        return v;
      }
    }
  }

  private static IllegalArgumentException refused(String cause) {
    return new IllegalArgumentException("lastbit: these bytes are not a state: " + cause);
  }
}
