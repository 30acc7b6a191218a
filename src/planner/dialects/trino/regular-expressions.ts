import { javaExpressions } from "../../lowering/patterns/java-expressions.ts";
import { END_OF_TEXT } from "./quirks/ends-of-texts.ts";

export const { matching, regexpLike, similar, regexpReplace, regexpCount, regexpSubstring, regexpGroups, regexpParts } =
  javaExpressions({ anyCase: "(?is)", end: END_OF_TEXT, missingGroup: "null" });
