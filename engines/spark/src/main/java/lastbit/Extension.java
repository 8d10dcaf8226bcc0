package lastbit;

import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Registers the exact functions in every session that names this class in
 * spark.sql.extensions.
 */
public final class Extension extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions session) {
    for (Function f : Function.values()) {
      Function1<Seq<Expression>, Expression> builder = x -> new ExactAggregate(f, x, 0, 0);
      inject(session, f.sql, f.usage, builder);
    }
    inject(session, "exact_finish", "the sum in a state of exact_state, rounded once",
        Extension::finish);
    return BoxedUnit.UNIT;
  }

  /** Returns the call of State.sumOf. */
  private static Expression finish(Seq<Expression> x) {
    Seq<AbstractDataType> types = CollectionConverters.<AbstractDataType>asScala(
        List.of(DataTypes.BinaryType)).toSeq();
    return new StaticInvoke(State.class, DataTypes.DoubleType, "sumOf", x, types, true, false,
        true, Option.empty());
  }

  private static void inject(SparkSessionExtensions session, String name, String usage,
      Function1<Seq<Expression>, Expression> builder) {
    ExpressionInfo info = new ExpressionInfo(ExactAggregate.class.getName(), null, name,
        "_FUNC_ returns " + usage + ".", "", "", "", "agg_funcs", "", "", "java_udf");
    session.injectFunction(new Tuple3<>(new FunctionIdentifier(name), info, builder));
  }
}
