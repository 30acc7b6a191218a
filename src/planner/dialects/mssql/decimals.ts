/**
 * Decimals of at most 38 digits. The digits of a quotient depend on the declared lengths of both sides, and are six where these
 * are long: so both are declared anew, with room for eighteen digits before the point.
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/precision-scale-and-length-transact-sql
 */
import type { RelationColumn } from "../../binding/relation.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, cast, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { NUMERIC, typeOrUnknown } from "../../types.ts";

export const MAX_PRECISION = 38;
const WHOLE = 18;
/** SQL Server keeps at least so many digits of a quotient. */
const FEWEST = 6;

export function quotient(node: Binary): Expression {
  const [left, right] = [scaleOf(node.left), scaleOf(node.right)];
  if (
    left === undefined ||
    right === undefined ||
    WHOLE + right > MAX_PRECISION - FEWEST ||
    WHOLE + left > MAX_PRECISION
  ) {
    const hint = "Write CAST(… AS numeric(18, 2)) or CAST(… AS double precision) on both sides.";
    throw unsupported("a division whose digits are unknown", node.span, hint);
  }
  const wide = (side: Expression, scale: number): Expression =>
    cast(side, "numeric", typed(NUMERIC, side), [WHOLE + scale, scale]);
  return binary(wide(node.left, left), "/", wide(node.right, right), inPlaceOf(node));
}

/** Of a quotient with a divisor of `scale` digits behind the point. */
const scaleOfQuotient = (scale: number): number => MAX_PRECISION - WHOLE - scale;

/** How many digits behind the point a value has at most, where its expression tells. */
function scaleOf(node: Expression): number | undefined {
  const type = typeOrUnknown(node);
  if (type.kind === "integer") return 0;
  if (type.kind === "null") return 0;
  if (type.kind !== "decimal") return undefined;
  if (type.scale !== undefined) return type.scale;
  switch (node.kind) {
    case "number":
      return /^\d*\.?(\d*)$/.exec(node.text)?.[1]?.length;
    case "bound": {
      const { origins = [] } = node.column as Partial<RelationColumn>;
      return origins.length === 0 ? undefined : greatest(origins);
    }
    case "unary":
      return scaleOf(node.operand);
    case "cast": {
      const [precision, scale = 0] = node.typeName.parameters;
      return precision === undefined ? scaleOf(node.operand) : scale;
    }
    case "binary":
      return scaleOfBinary(node);
    case "case": {
      const { branches, otherwise } = node;
      return greatest([...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])]);
    }
    case "call":
      return scaleOfCall(
        node.name[0]?.name ?? "",
        node.arguments.map(({ value }) => value),
      );
    default:
      return undefined;
  }
}

function greatest(nodes: readonly Expression[]): number | undefined {
  return nodes.map(scaleOf).reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0);
}

function scaleOfBinary({ operator, left, right }: Binary): number | undefined {
  const scales = [scaleOf(left), scaleOf(right)] as const;
  const [a, b] = scales;
  if (a === undefined || b === undefined) return undefined;
  switch (operator) {
    case "+":
    case "-":
    case "%":
      return Math.max(a, b);
    case "*":
      return a + b;
    case "/":
      return scaleOfQuotient(b);
    default:
      return undefined;
  }
}

function scaleOfCall(name: string, args: readonly Expression[]): number | undefined {
  const [first] = args;
  switch (name) {
    case "sum":
    case "min":
    case "max":
    case "abs":
    case "round":
    case "floor":
    case "ceiling":
    case "lag":
    case "lead":
    case "first_value":
    case "last_value":
    case "nullif":
      return first && scaleOf(first);
    case "coalesce":
      return greatest(args);
    case "avg": {
      const scale = first && scaleOf(first);
      return scale === undefined ? undefined : Math.max(scale, FEWEST);
    }
    default:
      return undefined;
  }
}
