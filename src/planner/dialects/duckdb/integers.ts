/**
 * The width of whole numbers. PostgreSQL's literal has 32 bits at least; DuckDB's takes the type of the number beside it,
 * so that `year * 100` of a smallint overflows there.
 */
import { countStep } from "../../plan-budget.ts";
import { cast } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";

/** `+`, `-` and `*` in as many bits as PostgreSQL computes them. */
export function inFullWidth(node: Binary): Binary {
  const { left, right, type } = node;
  if (type?.kind !== "integer") return node;
  const [a, b] = [ownBits(left, 0), ownBits(right, 0)];
  if (a + b === 0 || Math.max(a, b) >= type.bits) return node;
  const widened = (operand: Expression): Expression =>
    cast(operand, type.bits === 64 ? "bigint" : "integer", { span: operand.span, type });
  return a === 0 ? { ...node, right: widened(right) } : { ...node, left: widened(left) };
}

/** Past that many columns on columns the declared width counts. */
const DEEPEST = 50;

/** The bits that DuckDB gives the value; 0 for a literal, which has those of its neighbour. */
function ownBits(expression: Expression, depth: number): number {
  countStep();
  const { type } = expression;
  const stated = type?.kind === "integer" ? type.bits : type?.kind === "null" ? 0 : 64;
  const widest = (operands: readonly Expression[]): number =>
    Math.max(0, ...operands.map((operand) => ownBits(operand, depth)));
  switch (expression.kind) {
    case "number":
      return 0;
    case "unary":
      return ownBits(expression.operand, depth);
    case "case":
      return widest([
        ...expression.branches.map((branch) => branch.then),
        ...(expression.otherwise === undefined ? [] : [expression.otherwise]),
      ]);
    case "call":
      return ALTERNATIVES.has(expression.name[0]?.name ?? "")
        ? widest(expression.arguments.map((argument) => argument.value))
        : stated;
    case "bound": {
      const { origins = [] } = expression.column;
      if (origins.length !== 1 || depth > DEEPEST) return stated;
      // A literal that is a column has bits of its own.
      return Math.max(...origins.map((origin) => ownBits(origin, depth + 1))) || stated;
    }
    default:
      return stated;
  }
}

const ALTERNATIVES: ReadonlySet<string> = new Set("coalesce greatest least nullif abs min max".split(" "));
