package lastbit;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The aggregate functions: their names in SQL, and what they read and return. */
enum Function {
  SUM("exact_sum", 1, DataTypes.DoubleType, "the sum of numbers, rounded once"),
  AVG("exact_avg", 1, DataTypes.DoubleType, "the mean of numbers, rounded once"),
  DOT("exact_dot", 2, DataTypes.DoubleType, "the sum of exact products, rounded once"),
  STATE("exact_state", 1, DataTypes.BinaryType, "the sum of numbers before it is rounded"),
  DIGEST("exact_digest", 1, DataTypes.StringType, "the SHA-256 hash of the state of numbers"),
  MERGE("exact_merge", 1, DataTypes.BinaryType, "the state of all numbers in states");

  final String sql;
  final int arguments;
  final DataType result;
  final String usage;

  Function(String sql, int arguments, DataType result, String usage) {
    this.sql = sql;
    this.arguments = arguments;
    this.result = result;
    this.usage = usage;
  }

  /** Returns why no argument of this function has a type, or null. */
  String objection(DataType type) {
    if (type.equals(DataTypes.NullType)) {
      return null;
    }
    if (this == MERGE) {
      return type.equals(DataTypes.BinaryType) ? null : "takes the binary states of exact_state";
    }
    if (type.equals(DataTypes.LongType) && this == DOT) {
      return "takes DOUBLE, FLOAT, INT, SMALLINT and TINYINT: a BIGINT may have more digits than a"
          + " DOUBLE, which CAST(… AS DOUBLE) rounds to";
    }
    if (type.equals(DataTypes.DoubleType) || type.equals(DataTypes.FloatType)
        || type.equals(DataTypes.LongType) || type.equals(DataTypes.IntegerType)
        || type.equals(DataTypes.ShortType) || type.equals(DataTypes.ByteType)) {
      return null;
    }
    return "takes floating-point numbers and integers; CAST(… AS DOUBLE) rounds others to them";
  }

  /** Returns the result in Spark's form: NULL for no rows. */
  Object resultOf(State s) {
    if (s.count() == 0) {
      return null;
    }
    return switch (this) {
      case SUM, DOT -> s.toDouble();
      case AVG -> s.mean();
      case STATE, MERGE -> s.toBytes();
      case DIGEST -> UTF8String.fromString(java.util.HexFormat.of().formatHex(s.digest()));
    };
  }
}
