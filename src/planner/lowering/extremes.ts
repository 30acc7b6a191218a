/** `greatest` and `least`, which leave NULLs out (semantics.md), for targets that have neither or whose own give NULL. */
import { isNullable } from "../binding/nullability.ts";
import { unsupported } from "../diagnostics.ts";
import { cases, comparison, inPlaceOf, isNull, values } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";

export const extreme =
  (sign: ">=" | "<=") =>
  (node: Call): Expression => {
    const [first, ...others] = values(node);
    if (first === undefined) return node;
    if (values(node).some((each) => typeOrUnknown(each).kind === "boolean"))
      throw unsupported("this of booleans", node.span);
    return others.reduce((best, other) => {
      const branches = [
        ...(isNullable(best) ? [{ when: isNull(best, false), then: other }] : []),
        ...(isNullable(other) ? [{ when: isNull(other, false), then: best }] : []),
        { when: comparison(best, sign, other, node), then: best },
      ];
      return cases(branches, other, inPlaceOf(node));
    }, first);
  };
