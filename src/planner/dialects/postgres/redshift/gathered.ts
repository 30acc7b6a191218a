/**
 * `array_agg` of texts and whole numbers, by LISTAGG of their JSON texts. NULLs are skipped (docs/spec/language.md), and of no values
 * there is no text. https://docs.aws.amazon.com/redshift/latest/dg/r_LISTAGG.html
 */
import { unsupported } from "../../../diagnostics.ts";
import { collectedOrder, elementTypeOf, isArrayOf } from "../../../lowering/arrays/array-values.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { call, text, typed, values } from "../../../syntax/build.ts";
import type { Call, Expression } from "../../../syntax/tree.ts";
import { TEXT } from "../../../types.ts";
import { ELEMENTS, refused } from "./arrays.ts";
import { textOf } from "./casts.ts";

/** An array of one text, which is skipped if it is one of NULL. https://docs.aws.amazon.com/redshift/latest/dg/r_json_serialize.html */
const OF_ONE = words("NULLIF(JSON_SERIALIZE(ARRAY($1)), '[null]')", { type: TEXT });
/** https://docs.aws.amazon.com/redshift/latest/dg/array_flatten.html */
const OF_ARRAYS = words("ARRAY_FLATTEN(JSON_PARSE('[' || $1 || ']'))");
const OF_NUMBERS = words("JSON_PARSE('[' || $1 || ']')");

export function gathered(node: Call): Expression {
  const [value] = values(node);
  if (node.over !== undefined) throw unsupported("array_agg over a window", node.span, "Group the rows in a subquery.");
  if (value === undefined || !isArrayOf(node, ELEMENTS)) throw refused(node);
  if (node.distinct) throw unsupported("array_agg of different values", node.span, "Use a subquery with DISTINCT.");
  const isText = elementTypeOf(node).kind === "text";
  const shown = isText ? spelled(OF_ONE, [value], value) : textOf(value, value);
  const list: Call = {
    ...call("listagg", [shown, text(",", node)], typed(TEXT, node)),
    withinGroup: collectedOrder(node, value),
    filter: node.filter,
  };
  return spelled(isText ? OF_ARRAYS : OF_NUMBERS, [list], node);
}
