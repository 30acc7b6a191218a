/**
 * `to_char` of exact numbers by Oracle's formats, which are PostgreSQL's but for numbers that do not fit and places that its manual does
 * not describe: https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Format-Models.html
 */
import { unsupported } from "../../diagnostics.ts";
import { readNumberFormat } from "../../lowering/numbers/number-patterns.ts";
import { hashesOf } from "../../lowering/numbers/shown-numbers.ts";
import { call, cases, comparison, decimal, integer, text, typed } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";
import { joinedParts } from "./empty-texts.ts";

const SIGNS: Partial<Record<ReturnType<typeof readNumberFormat>["sign"], readonly [before: string, behind: string]>> = {
  before: ["", ""],
  "anchored before": ["S", ""],
  "anchored behind": ["", "S"],
  "minus behind": ["", "MI"],
  brackets: ["", "PR"],
};

export function numberText(
  value: Expression,
  format: Expression & { readonly kind: "string" },
  node: Call,
): Expression {
  const read = readNumberFormat(format);
  if (typeOrUnknown(value).kind === "float") {
    throw unsupported("to_char of a double", node.span, "Write to_char(CAST(x AS numeric(18, 2)), '…').");
  }
  const { whole, fraction = "", bare, before, behind } = read;
  const sign = SIGNS[read.sign];
  const isDescribed = /^(?:0[09,]*|[9,]*0?)$/.test(whole) && /^(?:9*|0+9*)$/.test(fraction);
  const isInteger = typeOrUnknown(value).kind === "integer";
  // A zero would have no digit.
  const isEmpty = bare && /^9+$/.test(fraction) && !whole.includes("0");
  if (sign === undefined || !isDescribed || isEmpty) {
    throw unsupported("the number format", format.span, "Use FM999,990.00 and its like, with S, MI or PR.");
  }
  const at = typed(NUMERIC, node);
  const rounded = isInteger ? value : call("round", [value, integer(fraction.length, node)], at);
  const limit = decimal(`1${"0".repeat(whole.replaceAll(",", "").length)}`, node);
  const model = `${bare ? "FM" : ""}${sign[0]}${whole}${read.fraction === undefined ? "" : `.${fraction}`}${sign[1]}`;
  const shown = call("to_char", [rounded, text(model, format)], typed(TEXT, node));
  const around = (number: Expression): Expression => {
    const parts = [
      ...(before === "" ? [] : [text(before, node)]),
      number,
      ...(behind === "" ? [] : [text(behind, node)]),
    ];
    return parts.length === 1 ? number : joinedParts(parts, node);
  };
  const beyond = (isNegative: boolean): Expression => text(before + hashesOf(read, isNegative) + behind, node);
  const least: Expression = { kind: "unary", operator: "-", operand: limit, span: node.span, type: NUMERIC };
  return cases(
    [
      { when: comparison(rounded, ">=", limit, node), then: beyond(false) },
      { when: comparison(rounded, "<=", least, node), then: beyond(true) },
    ],
    around(shown),
    typed(TEXT, node),
  );
}
