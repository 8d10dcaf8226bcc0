package lastbit;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * An aggregate function of Spark SQL whose buffer is a State. Spark keeps the
 * object while it aggregates, and asks for its bytes where rows leave a task.
 *
 * <p>NULL is left out, and in exact_dot a row with a NULL in either column.
 */
final class ExactAggregate extends TypedImperativeAggregate<State> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Function function;
  private final Seq<Expression> children;
  private final int mutableOffset;
  private final int inputOffset;
  private final int column; // of a single DOUBLE, read without an object; or −1

  ExactAggregate(Function function, Seq<Expression> children, int mutableOffset, int inputOffset) {
    this.function = function;
    this.children = children;
    this.mutableOffset = mutableOffset;
    this.inputOffset = inputOffset;
    this.column = function.arguments == 1 && children.size() == 1
            && children.apply(0) instanceof BoundReference b
            && DataTypes.DoubleType.equals(b.dataType())
        ? b.ordinal() : -1;
  }

  @Override
  public State createAggregationBuffer() {
    return new State();
  }

  @Override
  public State update(State s, InternalRow row) {
    if (column >= 0) {
      if (!row.isNullAt(column)) {
        s.add(row.getDouble(column));
      }
      return s;
    }
    Object x = children.apply(0).eval(row);
    Object y = function == Function.DOT ? children.apply(1).eval(row) : x;
    if (x == null || y == null) {
      return s;
    }
    switch (function) {
      case MERGE -> s.merge(State.fromBytes((byte[]) x));
      case DOT -> s.addProduct(((Number) x).doubleValue(), ((Number) y).doubleValue());
      default -> add(s, (Number) x);
    }
    return s;
  }

  private static void add(State s, Number x) {
    if (x instanceof Double || x instanceof Float) {
      s.add(x.doubleValue());
    } else {
      s.add(x.longValue());
    }
  }

  @Override
  public State merge(State s, State other) {
    s.merge(other);
    return s;
  }

  @Override
  public Object eval(State s) {
    return function.resultOf(s);
  }

  @Override
  public byte[] serialize(State s) {
    return s.toBytes();
  }

  @Override
  public State deserialize(byte[] bytes) {
    return State.fromBytes(bytes);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (children.size() != function.arguments) {
      return new TypeCheckResult.TypeCheckFailure(
          function.sql + " has " + function.arguments + " argument(s), not " + children.size());
    }
    for (int i = 0; i < children.size(); i++) {
      DataType type = children.apply(i).dataType();
      String objection = function.objection(type);
      if (objection != null) {
        return new TypeCheckResult.TypeCheckFailure(
            function.sql + " " + objection + "; argument " + (i + 1) + " is " + type.sql());
      }
    }
    return TypeCheckResult.TypeCheckSuccess$.MODULE$;
  }

  @Override
  public DataType dataType() {
    return function.result;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public String prettyName() {
    return function.sql;
  }

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new ExactAggregate(function, newChildren, mutableOffset, inputOffset);
  }

  @Override
  public int mutableAggBufferOffset() {
    return mutableOffset;
  }

  @Override
  public int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return new ExactAggregate(function, children, offset, inputOffset);
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return new ExactAggregate(function, children, mutableOffset, offset);
  }

  /** Returns the arguments that a plan shows. */
  @Override
  @SuppressWarnings("unchecked") // an Iterator is covariant in Scala
  public Iterator<Object> stringArgs() {
    return (Iterator<Object>) (Iterator<?>) children.iterator();
  }

  @Override
  public int productArity() {
    return 4;
  }

  @Override
  public Object productElement(int i) {
    return switch (i) {
      case 0 -> function;
      case 1 -> children;
      case 2 -> mutableOffset;
      case 3 -> inputOffset;
      default -> throw new IndexOutOfBoundsException(i);
    };
  }

  @Override
  public boolean canEqual(Object that) {
    return that instanceof ExactAggregate;
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof ExactAggregate a && function == a.function
        && children.equals(a.children) && mutableOffset == a.mutableOffset
        && inputOffset == a.inputOffset;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
