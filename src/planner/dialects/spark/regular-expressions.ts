import { javaExpressions } from "../../lowering/patterns/java-expressions.ts";

/** Java folds letters of ASCII alone, unless it is told to fold all. */
export const { matching, regexpCount, regexpGroups, regexpLike, regexpParts, regexpReplace, regexpSubstring, similar } =
  javaExpressions({ anyCase: "(?ius)", end: "\\z", missingGroup: "empty" });
