package lastbit;

import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.expressions.Aggregator;

/**
 * The exact sum for the typed interface of Java and Scala, which Spark keeps
 * stable:
 *
 * <pre>{@code
 * spark.udf().register("exact_sum", functions.udaf(new ExactSum(), Encoders.DOUBLE()));
 * }</pre>
 *
 * <p>The function of Extension returns the same bits, and takes less time.
 */
public final class ExactSum extends Aggregator<Double, State, Double> {
  private static final long serialVersionUID = 1L;

  @Override
  public State zero() {
    return new State();
  }

  @Override
  public State reduce(State s, Double x) {
    if (x != null) {
      s.add(x.doubleValue());
    }
    return s;
  }

  @Override
  public State merge(State s, State other) {
    s.merge(other);
    return s;
  }

  @Override
  public Double finish(State s) {
    return s.count() == 0 ? null : s.toDouble();
  }

  @Override
  public Encoder<State> bufferEncoder() {
    return Encoders.javaSerialization(State.class);
  }

  @Override
  public Encoder<Double> outputEncoder() {
    return Encoders.DOUBLE();
  }
}
