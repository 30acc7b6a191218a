/**
 * Lists the constructs that dialects may make of a statement that `plain.ts` takes for one that cannot fail. A dialect may compare
 * texts by copies of them, add casts, or compute a part of a date by several calls: anything else makes the statement one that can fail.
 */
import { COMPARISON_OPERATORS } from "../syntax/comparisons.ts";
import type { Binary, Call, Cast, Expression } from "../syntax/tree.ts";
import { type SyntaxNode, someChild } from "../syntax/walk.ts";
import { isLiteral } from "./literals.ts";
import type { PlainSource } from "./plain-sources.ts";

/** The first node of a lowered statement that is not known to be computed without an error; `undefined`: all are. */
export function firstUnlisted(statement: SyntaxNode, source: PlainSource): SyntaxNode | undefined {
  let found: SyntaxNode | undefined;
  const isUnlisted = (node: SyntaxNode): boolean => {
    if (isListed(node, source)) return someChild(node, isUnlisted);
    found = node;
    return true;
  };
  isUnlisted(statement);
  return found;
}

/** Whether the node itself is on the list; its parts are judged separately. */
export function isListed(node: SyntaxNode, source: PlainSource): boolean {
  switch (node.kind) {
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "typed":
    case "bound":
    case "column":
    case "logical":
    case "exists":
    case "between":
    case "in-list":
    case "in-query":
    case "is":
    case "case":
    case "collate":
    case "query":
    case "select":
    case "set":
    case "values":
    case "nested":
    case "derived":
    case "aliased-join":
    case "join":
    case "bound-common":
    case "physical-table":
    case "item":
    case "star":
      return true;
    case "unary":
      return node.operator === "not" || isLiteral(node);
    case "binary":
      return COMPARISONS.has(node.operator) || isCopyOfText(node) || isLengthOfCopy(node);
    case "cast":
      return isListedCast(node, source);
    // SQL Server's OFFSET wants an order: `ORDER BY (SELECT NULL)`.
    case "scalar-query":
      return node.query.body.kind === "select" && node.query.body.from.length === 0;
    case "extract":
      return source === "oracle" && ["year", "month", "day", "hour", "minute"].includes(node.field);
    case "call":
      return isListedCall(node);
    case "spelled":
      return node.template.neverFails;
    default:
      return false;
  }
}

const COMPARISONS: ReadonlySet<string> = new Set([...COMPARISON_OPERATORS, "is distinct from", "is not distinct from"]);

const DOT = ".";

/** `text || '.'`: texts are compared with a letter at their ends where the source ignores blanks. */
function isCopyOfText({ operator, left, right }: Binary): boolean {
  return operator === "||" && left.type?.kind === "text" && right.kind === "string" && right.value === DOT;
}

/** `len(text || '.') - 1`, which is at least 0. */
function isLengthOfCopy({ operator, left, right }: Binary): boolean {
  return operator === "-" && nameOf(left) === "len" && right.kind === "number" && right.text === "1";
}

/**
 * Casts of constants, which fail for every row or for none, truth values that are made of 1 and 0, and the widenings that
 * dialects need for the functions of `plain.ts`.
 */
function isListedCast({ operand, typeName, safe }: Cast, source: PlainSource): boolean {
  if (safe || typeName.parameters.length > 0 || typeName.dimensions > 0 || typeName.members.length > 0) return false;
  if (isLiteral(operand)) return true;
  const kind = operand.type?.kind;
  switch (typeName.name) {
    case "boolean":
      return operand.kind === "case" && resultsOf(operand).every((result) => result === undefined || isLiteral(result));
    // https://docs.databricks.com/aws/en/sql/language-manual/functions/cast: every type becomes STRING.
    case "text":
      return source === "databricks" && operand.kind === "column";
    // The types have one range (`plain.ts`). Oracle's and SQL Server's are the start of a day, of a month or of a year.
    case "timestamp":
      return ["bigquery", "mssql", "oracle", "doris"].includes(source) && (kind === "date" || kind === "timestamp");
    case "date":
      return source === "mssql" && kind === "timestamp";
    case "bigint":
      return PARTS.has(nameOf(operand) ?? "") || (operand.kind === "spelled" && operand.type?.kind === "integer");
    // BigQuery's BIGNUMERIC holds every INT64 and NUMERIC.
    case "long numeric":
      return source === "bigquery" && (kind === "integer" || kind === "decimal");
    default:
      return false;
  }
}

function resultsOf(node: Expression & { readonly kind: "case" }): readonly (Expression | undefined)[] {
  return [...node.branches.map(({ then }) => then), node.otherwise];
}

/** Names as dialects have them before they are printed. */
const CALLS: ReadonlySet<string> = new Set([
  ...["count", "count_big", "min", "max", "sum", "avg", "coalesce", "nullif", "row_number", "rank", "dense_rank"],
  ...["upper", "lower", "trim", "ltrim", "rtrim", "btrim", "trim both", "length", "len", "char_length", "datalength"],
  // BigQuery's TIMESTAMP and DATETIME have the years 1 to 9999.
  ...["instant in zone", "datetime in zone"],
  ...["date_trunc", "trunc"],
]);

const FIELDS = ["year", "quarter", "month", "day", "hour", "minute"];

const PARTS: ReadonlySet<string> = new Set(FIELDS.flatMap((field) => [field, `${field} of`, `part: ${field}`]));
const STARTS: ReadonlySet<string> = new Set(FIELDS.map((field) => `start of ${field}`));

function isListedCall(call: Call): boolean {
  const name = nameOf(call);
  if (name === undefined || call.withinGroup.length > 0) return false;
  if (CALLS.has(name) || PARTS.has(name) || STARTS.has(name)) return true;
  // SQL Server's first of a month or a year: a year and a month of a date, and 1.
  return (
    name === "datefromparts" &&
    call.arguments.every(({ value }) => isLiteral(value) || (value?.kind === "spelled" && value.template.neverFails))
  );
}

function nameOf(expression: Expression): string | undefined {
  return expression.kind === "call" && expression.name.length === 1 ? expression.name[0]?.name : undefined;
}
