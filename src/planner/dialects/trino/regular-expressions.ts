import { javaExpressions } from "../../lowering/patterns/java-expressions.ts";

export const { matching, regexpLike, similar, regexpReplace, regexpCount, regexpSubstring, regexpGroups, regexpParts } =
  javaExpressions({ anyCase: "(?is)", missingGroup: "null" });
