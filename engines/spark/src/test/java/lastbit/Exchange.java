package lastbit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Computes states for a test in Go. Each line of standard input is one state,
 * made by words: {@code +bits} adds a number, {@code ibits} an integer, {@code
 * *bits,bits} a product, {@code mbytes} merges a state, {@code sbytes}
 * subtracts one, {@code rword} takes a word that is refused and leaves the state
 * unchanged, and {@code c} passes on through bytes. The answer is a line
 * with the bytes, the sum in both formats, the mean and the digest; or one that
 * begins with refused.
 */
final class Exchange {
  private static final HexFormat HEX = HexFormat.of();

  private Exchange() {}

  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    StringBuilder out = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.append(answer(line)).append('\n');
    }
    System.out.print(out);
  }

  private static String answer(String line) {
    State s = new State();
    try {
      for (String word : line.split(" ")) {
        s = step(s, word);
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      return "refused: " + e.getMessage();
    }
    return String.join(" ", HEX.formatHex(s.toBytes()), bits(s.toDouble()),
        Float.isNaN(s.toFloat()) ? "NaN" : Integer.toHexString(Float.floatToIntBits(s.toFloat())),
        bits(s.mean()), HEX.formatHex(s.digest()), Long.toString(s.count()));
  }

  private static State step(State s, String word) {
    if (word.isEmpty()) {
      return s;
    }
    String rest = word.substring(1);
    switch (word.charAt(0)) {
      case '+' -> s.add(number(rest));
      case 'i' -> s.add(Long.parseUnsignedLong(rest, 16));
      case '*' -> {
        String[] factors = rest.split(",");
        s.addProduct(number(factors[0]), number(factors[1]));
      }
      case 'm' -> s.merge(State.fromBytes(HEX.parseHex(rest)));
      case 's' -> s.subtract(State.fromBytes(HEX.parseHex(rest)));
      case 'r' -> refuse(s, rest);
      case 'c' -> {
        return State.fromBytes(s.toBytes());
      }
      default -> throw new AssertionError(word);
    }
    return s;
  }

  private static void refuse(State s, String word) {
    String before = HEX.formatHex(s.toBytes());
    try {
      step(s, word);
    } catch (ArithmeticException e) {
      if (!before.equals(HEX.formatHex(s.toBytes()))) {
        throw new ArithmeticException("changed by " + word);
      }
      return;
    }
    throw new ArithmeticException("not refused: " + word);
  }

  private static double number(String bits) {
    return Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
  }

  private static String bits(double x) {
    return x != x ? "NaN" : Long.toHexString(Double.doubleToRawLongBits(x));
  }
}
