/** Infers the scale that PostgreSQL's numeric would have, for engines with fixed-scale decimals. */

import { countStep } from "../../plan-budget.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { ColumnFacts } from "../column-facts.ts";

/** The target's scale where PostgreSQL chooses it freely. */
export interface DigitFacts {
  readonly ofQuotient: (dividend: number, divisor: number) => number;
  readonly ofAverage: (scale: number) => number;
}

/** Maximum number of fraction digits of a lowered value, if its expression determines it. */
export const mostDigits = (facts: DigitFacts): ((node: Expression) => number | undefined) => {
  const known: KnownFacts = { ...facts, columns: new ColumnFacts() };
  return (node) => scaleOf(node, known);
};

interface KnownFacts extends DigitFacts {
  readonly columns: ColumnFacts<number | undefined>;
}

function scaleOf(node: Expression, facts: KnownFacts): number | undefined {
  countStep();
  const type = typeOrUnknown(node);
  if (type.kind === "integer") return 0;
  if (type.kind === "null") return 0;
  if (type.kind !== "decimal") return undefined;
  if (type.scale !== undefined) return type.scale;
  switch (node.kind) {
    case "number":
      return digitsOf(node.text)?.fraction.length;
    case "bound": {
      const { column } = node;
      const { origins = [] } = column;
      return origins.length === 0 ? undefined : facts.columns.of(column, () => greatest(origins, facts));
    }
    case "unary":
      return scaleOf(node.operand, facts);
    case "cast": {
      const [precision, scale = 0] = node.typeName.parameters;
      return precision === undefined ? scaleOf(node.operand, facts) : scale;
    }
    case "binary":
      return scaleOfBinary(node, facts);
    case "case": {
      const { branches, otherwise } = node;
      return greatest([...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])], facts);
    }
    case "spelled":
      return typeof node.template.scale === "number" ? node.template.scale : undefined;
    case "scalar-query": {
      const { body } = node.query;
      const item = body.kind === "select" ? body.items[0] : undefined;
      return item?.kind === "item" ? scaleOf(item.expression, facts) : undefined;
    }
    case "call":
      return scaleOfCall(
        node.name[0]?.name ?? "",
        node.arguments.map(({ value }) => value),
        facts,
      );
    default:
      return undefined;
  }
}

function greatest(nodes: readonly Expression[], facts: KnownFacts): number | undefined {
  return nodes
    .map((node) => scaleOf(node, facts))
    .reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0);
}

function scaleOfBinary({ operator, left, right }: Binary, facts: KnownFacts): number | undefined {
  const [a, b] = [scaleOf(left, facts), scaleOf(right, facts)];
  if (a === undefined || b === undefined) return undefined;
  switch (operator) {
    case "+":
    case "-":
    case "%":
      return Math.max(a, b);
    case "*":
      return a + b;
    case "/":
      return facts.ofQuotient(a, b);
    default:
      return undefined;
  }
}

function scaleOfCall(name: string, args: readonly Expression[], facts: KnownFacts): number | undefined {
  const [first] = args;
  switch (name) {
    case "sum":
    case "min":
    case "max":
    case "abs":
    case "round":
    case "floor":
    case "ceil":
    case "ceiling":
    case "lag":
    case "lead":
    case "first_value":
    case "last_value":
    case "nullif":
      return first && scaleOf(first, facts);
    case "greatest":
    case "least":
    case "coalesce":
      return greatest(args, facts);
    case "avg": {
      const scale = first && scaleOf(first, facts);
      return scale === undefined ? undefined : facts.ofAverage(scale);
    }
    default:
      return undefined;
  }
}
