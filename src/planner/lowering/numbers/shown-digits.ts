/** The digits behind the point that PostgreSQL shows of a decimal, where its expression says so: `round(x, 2)` has two. */
import type { Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { isInexactDecimal } from "./inexact.ts";
import { naturalOf } from "./written-counts.ts";

const ROUNDING: ReadonlySet<string> = new Set(["round", "trunc", "truncate"]);

/** `undefined` if only the value knows. */
export function shownDigits(value: Expression): number | undefined {
  const type = typeOrUnknown(value);
  if (type.kind !== "decimal") return undefined;
  switch (value.kind) {
    case "call": {
      const [first, digits] = value.arguments.map((each) => each.value);
      const name = value.name[0]?.name ?? "";
      if (name === "abs") return first && shownDigits(first);
      if (!ROUNDING.has(name)) return undefined;
      return digits === undefined ? 0 : naturalOf(digits);
    }
    case "unary":
      return shownDigits(value.operand);
    case "cast": {
      const { operand } = value;
      // The target's own cast behind `round`.
      if (operand.kind === "call" && ROUNDING.has(operand.name[0]?.name ?? "")) return shownDigits(operand);
      return type.scale;
    }
    case "bound": {
      const { origins = [] } = value.column;
      if (origins.length === 1 && origins[0] !== undefined && type.scale === undefined) return shownDigits(origins[0]);
      return isInexactDecimal(value) ? undefined : type.scale;
    }
    default:
      return undefined;
  }
}
