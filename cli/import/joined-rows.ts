/**
 * Expressions of a joined table. Some tools compute them after the join, where a row without a partner has NULL in each column; a column
 * of a model is computed before it. Both are equal where NULL in all columns gives NULL.
 */
import type { DataSource } from "../../src/planner/plan.ts";
import type { Expression } from "../../src/planner/syntax/tree.ts";
import { expressionIn, Unmapped } from "./sql-text.ts";

/** Operators that give NULL for a NULL operand. */
const OPERATORS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "^", "||", "=", "<>", "<", ">", "<=", ">="]);
/** Functions that give NULL for a NULL argument, on every source. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...["upper", "lower", "trim", "ltrim", "rtrim", "substring", "substr", "left", "right", "length", "replace"],
  ...["date_trunc", "to_date", "date", "year", "month", "day", "quarter", "abs", "round", "floor", "ceil", "nullif"],
]);
/** Sources whose `concat` gives NULL for a NULL argument. */
const STRICT_CONCAT: ReadonlySet<DataSource> = new Set([
  "databricks",
  "spark",
  "mysql",
  "bigquery",
  "snowflake",
] as const);

/** Throws `Unmapped` if a row without a partner would have another value. `tree`: of a text that is parsed already. */
export function rejectValueWithoutRow(sql: string, source: DataSource, tree: Expression = expressionIn(sql)): void {
  if (!isNullWithoutRow(tree, source)) {
    throw new Unmapped("A row without a partner has a value there, which a column of the joined model does not have.");
  }
}

export function isNullWithoutRow(node: Expression, source: DataSource): boolean {
  const isNull = (each: Expression): boolean => isNullWithoutRow(each, source);
  switch (node.kind) {
    case "column":
    case "null":
      return true;
    case "unary":
    case "cast":
    case "extract":
    case "in-list":
    case "like":
    case "between":
    case "at-time-zone":
    case "collate":
      return isNull(node.operand);
    case "binary":
      if (node.operator === "||" && source === "oracle") return isNull(node.left) && isNull(node.right);
      return OPERATORS.has(node.operator) && (isNull(node.left) || isNull(node.right));
    case "logical":
      return node.operands.every(isNull);
    case "case":
      if (node.operand !== undefined) {
        return isNull(node.operand) && (node.otherwise === undefined || isNull(node.otherwise));
      }
      return (
        node.branches.every(({ when }) => isNull(when)) && (node.otherwise === undefined || isNull(node.otherwise))
      );
    case "call": {
      const name = node.name.at(-1)?.name.toLowerCase() ?? "";
      if (node.over !== undefined) return false;
      if (name === "coalesce") return node.arguments.every(({ value }) => isNull(value));
      const isStrict = FUNCTIONS.has(name) || (name === "concat" && STRICT_CONCAT.has(source));
      return isStrict && node.arguments.some(({ value }) => isNull(value));
    }
    default:
      return false;
  }
}
