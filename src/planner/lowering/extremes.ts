/** `greatest` and `least`, which ignore NULLs (docs/spec/language.md), for targets that lack them or whose own return NULL. */
import { isNullable } from "../binding/nullability.ts";
import { unsupported } from "../diagnostics.ts";
import { all, cases, comparison, inPlaceOf, isNull, logical, values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";

export const extreme =
  (sign: ">=" | "<=") =>
  (node: Call): Expression => {
    const [first, ...others] = values(node);
    if (first === undefined) return node;
    if (values(node).some((each) => typeOrUnknown(each).kind === "boolean"))
      throw unsupported("min or max of booleans", node.span);
    if (others.length > MOST_NESTED) return flat(values(node), sign, node);
    return others.reduce((best, other) => {
      const branches = [
        ...(isNullable(best) ? [{ when: isNull(best, false), then: other }] : []),
        ...(isNullable(other) ? [{ when: isNull(other, false), then: best }] : []),
        { when: comparison(best, sign, other, node), then: best },
      ];
      return cases(branches, other, inPlaceOf(node));
    }, first);
  };

/** Each further argument repeats the ones before it three times. */
const MOST_NESTED = 3;

/**
 * Selects the first argument that no later one exceeds. If an argument is NULL or exceeded, the extreme is among the later ones,
 * so each argument is compared only with those. The length grows with the square of their number.
 */
function flat(given: readonly Expression[], sign: ">=" | "<=", node: Call): Expression {
  const branches = given.slice(0, -1).map((each, index) => {
    const conditions = given.slice(index + 1).map((other) => {
      const isAhead = comparison(each, sign, other, node);
      return isNullable(other) ? logical("or", [isNull(other, false), isAhead], node) : isAhead;
    });
    const when = all([...(isNullable(each) ? [isNull(each, true)] : []), ...conditions], node);
    return { when: when ?? each, then: each };
  });
  return cases(branches, given.at(-1), inPlaceOf(node));
}
