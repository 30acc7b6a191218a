/** Functions that concatenate values of any type, for engines whose `||` and `concat` accept only texts. */
import { isNullable } from "../../binding/nullability.ts";
import { binary, call, cases, inPlaceOf, not, text, typed, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";

/** PostgreSQL's text of a value; `at` is the position of the node. */
export type TextOf = (value: Expression, at: Expression) => Expression;

/** In functions that concatenate values, a boolean is a letter. */
export const textInConcat =
  (textOf: TextOf): TextOf =>
  (value, at) => {
    if (typeOrUnknown(value).kind !== "boolean") return textOf(value, at);
    const branches = [
      { when: value, then: text("t", at) },
      { when: not(value), then: text("f", at) },
    ];
    return cases(branches, undefined, typed(TEXT, at));
  };

/** `concat`, which ignores NULL. */
export const concatenatedBy =
  (shown: TextOf) =>
  (node: Call): Expression => {
    const filled = (value: Expression): Expression =>
      isNullable(value)
        ? call("coalesce", [shown(value, node), text("", node)], typed(TEXT, node))
        : shown(value, node);
    const [first, ...others] = values(node).map(filled);
    return others.reduce<Expression>(
      (before, behind) => binary(before, "||", behind, inPlaceOf(node)),
      first ?? text("", node),
    );
  };
