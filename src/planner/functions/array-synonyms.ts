/** Arrays under the names that the functions of other services have (docs/decisions/0039-names-of-other-engines.md). */
import { PlannerError } from "../diagnostics.ts";
import { binary, queryOf, selectItem, selectOf, unbound, values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { positional, type Rewrite, two } from "./call-shapes.ts";

export const ARRAY_SYNONYMS: readonly (readonly [string, Rewrite])[] = [
  ["make_array", (call) => array(call, values(call))],
  ...["array_concat", "array_cat", "list_concat", "list_cat"].map((name) => [name, joined] as const),
  ...["array_element", "list_element", "list_extract", "array_extract", "element_at"].map(
    (name) => [name, (call: Call) => two(call, (a, i) => elementAt(call, name, a, i))] as const,
  ),
  ...["array_has_all", "list_has_all", "list_contains_all"].map(
    (name) => [name, (call: Call) => two(call, (a, b) => binary(a, "@>", b, unbound(call)))] as const,
  ),
  ...["array_has_any", "list_has_any", "array_overlaps", "arrays_overlap"].map(
    (name) => [name, (call: Call) => two(call, (a, b) => binary(a, "&&", b, unbound(call)))] as const,
  ),
  // The array comes second: `list_prepend(x, xs)`.
  ...["array_push_front", "list_push_front", "list_prepend"].map(
    (name) => [name, (call: Call) => two(call, (x, a) => binary(array(call, [x]), "||", a, unbound(call)))] as const,
  ),
  ["sequence", (call) => sequence(call)],
  ["string_to_array", (call) => partsWithNulls(call)],
];

/** `string_to_array(x, separator, word)`: the parts that are the word are NULL. */
function partsWithNulls(call: Call): Expression | undefined {
  const [value, separator, word] = values(call);
  if (value === undefined || separator === undefined || word === undefined || call.arguments.length > 3)
    return undefined;
  const none: Expression = { kind: "null", span: word.span };
  return positional(call, "array_replace", [positional(call, "string_to_array", [value, separator]), word, none]);
}

const array = (call: Call, elements: readonly Expression[]): Expression => ({
  kind: "array",
  elements,
  span: call.span,
});

function joined(call: Call): Expression | undefined {
  const [first, ...others] = values(call);
  return first && others.length > 0
    ? others.reduce((left, right) => binary(left, "||", right, unbound(call)), first)
    : undefined;
}

/** An index from the end counts on some sources and is NULL or an error on others: only a literal of at least 1 has one meaning. */
function elementAt(call: Call, name: string, operand: Expression, index: Expression): Expression {
  if (index.kind === "number" && /^[1-9]\d*$/.test(index.text)) {
    return { kind: "subscript", operand, index, span: call.span };
  }
  throw new PlannerError("FUNCTION_NOT_ALLOWED", `${name} counts from the end on some sources and not on others`, {
    span: index.span,
    hint: "Write x[n], which counts from 1, or ->> for the members of JSON.",
  });
}

/** An array of what `generate_series` gives; of dates it is one of dates on some sources and of timestamps on others. */
function sequence(call: Call): Expression | undefined {
  const given = values(call);
  if (given.length < 2 || given.length > 3) return undefined;
  if (given.some(({ kind }) => kind === "interval" || kind === "typed" || kind === "string")) {
    throw new PlannerError("FUNCTION_NOT_ALLOWED", "sequence of times has another type on every source", {
      span: call.span,
      hint: "Use generate_series(from, to, step) in FROM.",
    });
  }
  const { span } = call;
  const name = { name: "n", quoted: false, span };
  const series = {
    kind: "function",
    call: positional(call, "generate_series", given),
    lateral: false,
    ordinality: false,
    alias: { name, columns: [] },
    span,
  } as const;
  const item = selectItem({ kind: "column", parts: [name], span }, undefined, call);
  return { kind: "array-query", query: queryOf(selectOf({ items: [item], from: [series] }, call)), span };
}
