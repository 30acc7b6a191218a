/** Capitals as PostgreSQL has them: each character has one, or is its own. DuckDB 1.4 differs in ß. */
import {
  call,
  comparison,
  concatenation,
  inPlaceOf,
  integer,
  isNull,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, TEXT, typeOrUnknown } from "../../types.ts";
import { eachOf, pieceOf, TEXTS } from "./calls.ts";

/** The capital of ß is ẞ on DuckDB, and ß itself in PostgreSQL. */
export function capitals(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined || typeOrUnknown(value).kind !== "text") return node;
  if (value.kind === "string")
    return value.value.includes(SHARP_S) ? call(UPPER_EXCEPT_SHARP_S, [value], inPlaceOf(node)) : node;
  const hasSharpS = call("contains", [value, text(SHARP_S, node)], typed(BOOLEAN, node));
  return when(hasSharpS, call(UPPER_EXCEPT_SHARP_S, [value], inPlaceOf(node)), node, inPlaceOf(node));
}

const SHARP_S = "ß";
/** A call of DuckDB's printer. */
export const UPPER_EXCEPT_SHARP_S = "upper beside sharp s";

export function printUpperExceptSharpS(printer: Printer, { arguments: [operand] }: Call): void {
  printer.write("array_to_string(list_transform(string_split(");
  if (operand !== undefined) printer.expression(operand.value);
  printer.write(`, '${SHARP_S}'), (lambda _s: upper(_s))), '${SHARP_S}')`);
}

/**
 * There is no initcap. Words are runs of letters and ASCII digits, as PostgreSQL has them; a sharp s, whose capital is another
 * character on DuckDB, is in the part that stays as it is.
 */
export function capitalised(node: Call): Expression {
  const [value] = values(node);
  if (value === undefined) return node;
  const pieces = call(
    "regexp_extract_all",
    [value, text(`[\\p{L}\\p{Nl}0-9]+|[^\\p{L}\\p{Nl}0-9]+`, node)],
    typed(TEXTS, node),
  );
  const piece = pieceOf(node, TEXT);
  const ofText = typed(TEXT, node);
  const first = call("left", [piece, integer(1, node)], ofText);
  const capitalise = concatenation(
    when(comparison(first, "=", text(SHARP_S, node), node), first, call("upper", [first], ofText), ofText),
    call("lower", [call("substring", [piece, integer(2, node)], ofText)], ofText),
    node,
  );
  const list: Expression = {
    kind: "array-query",
    query: eachOf(pieces, capitalise, node),
    span: node.span,
    type: TEXTS,
  };
  const joined = call("coalesce", [call("array_to_string", [list, text("", node)], ofText), text("", node)], ofText);
  return when(isNull(value, true), joined, undefined, inPlaceOf(node));
}
