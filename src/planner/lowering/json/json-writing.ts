import type { Expression } from "../../syntax/tree.ts";

/** How a target writes parts of JSON. */
export interface JsonTexts {
  /** A text as a string of JSON, with its quotes; NULL for NULL. */
  readonly quoted: (value: Expression, at: Expression) => Expression;
  /** The text of json that the source has, NULL for NULL. Unset: json in json is refused. */
  readonly shown?: (value: Expression, at: Expression) => Expression;
}
