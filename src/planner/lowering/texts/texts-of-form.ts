/**
 * Casts of computed texts for targets that read more texts than PostgreSQL, or round their digits in another way: only a text of one form
 * is read, and any other raises.
 */
import { unsupported } from "../../diagnostics.ts";
import { cast, comparison, inPlaceOf, integer, typed } from "../../syntax/build.ts";
import type { Cast, Expression, Template } from "../../syntax/tree.ts";
import { INTEGER, NUMERIC, TEXT, typeOrUnknown } from "../../types.ts";
import { spelled, words } from "../templates/template.ts";
import { checkedPrecision } from "./text-casts.ts";

/** Digits that `DECIMAL(38, 18)` holds. */
const DECIMAL = "^[-+]?([0-9]{1,20}[.]?|[0-9]{0,20}[.][0-9]{1,18})$";
const DECIMAL_LENGTHS = [38, 18] as const;
/** Numbers within the range of a double. */
const FLOAT = "^[-+]?([0-9]{1,40}[.]?[0-9]{0,40}|[.][0-9]{1,40})([eE][-+]?[0-9]{1,2})?$";
const DATE = "[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}";
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?";

const TRUE = "^!(t|tr|tru|true|y|ye|yes|on|1)$";
const FALSE = "^!(f|fa|fal|fals|false|n|no|of|off|0)$";

/** A text that is written is read during planning. */
export const ofText =
  (computed: (node: Cast) => Expression, literal: (node: Cast) => Expression) =>
  (node: Cast): Expression =>
    node.operand.kind === "string" ? literal(node) : computed(node);

export interface TextForms {
  /** SQL of `$1` if it matches the pattern, of a text that no cast reads if it does not, and of NULL if it is NULL; `$1` stands once. */
  readonly ofForm: (pattern: string) => string;
  /** SQL of `$1` with a mark in front. */
  readonly marked: string;
}

export interface TextCasts {
  /** A decimal of 38 digits, 18 of them behind the point. */
  readonly decimal: (node: Cast) => Expression;
  readonly float: (node: Cast) => Expression;
  readonly date: (node: Cast) => Expression;
  readonly timestamp: (node: Cast) => Expression;
  readonly boolean: (node: Cast) => Expression;
}

export function textCasts({ ofForm, marked }: TextForms): TextCasts {
  const template = (pattern: string, value = "$1"): Template =>
    words(ofForm(pattern).replaceAll("$1", value), { type: TEXT });
  const [decimal, float] = [template(DECIMAL), template(FLOAT)];
  const [date, timestamp] = [template(`^${DATE}$`), template(`^${DATE}( ${TIME})?$`, "REPLACE($1, 'T', ' ')")];
  // The mark makes digits that are no boolean unreadable as a number.
  const digit = words(`REGEXP_REPLACE(REGEXP_REPLACE(LOWER(${marked}), '${TRUE}', '1'), '${FALSE}', '0')`, {
    type: TEXT,
  });
  const shaped = (node: Cast, form: Template): Expression => {
    if (!node.safe) return spelled(form, [node.operand], node.operand);
    throw unsupported("TRY_CAST of a text", node.span, "Filter the values first, then write CAST.");
  };
  return {
    decimal: (node) => cast(shaped(node, decimal), "numeric", typed(NUMERIC, node), DECIMAL_LENGTHS),
    float: (node) => ({ ...node, operand: shaped(node, float) }),
    date: (node) => cast(shaped(node, date), "date", inPlaceOf(node)),
    timestamp(node) {
      checkedPrecision(node);
      const type = typeOrUnknown(node);
      // Texts of times repeat them, so casts to and fro would grow without an end.
      if (node.operand.kind !== "bound" && node.operand.kind !== "spelled") {
        throw unsupported("a computed text as a time", node.span, "Cast a column, or a member of JSON.");
      }
      if (type.kind === "timestamp" && type.zoned) {
        throw unsupported("a computed text as an instant", node.span, "Write CAST(… AS timestamp) AT TIME ZONE 'UTC'.");
      }
      return cast(shaped(node, timestamp), "timestamp", inPlaceOf(node));
    },
    boolean: (node) =>
      comparison(cast(shaped(node, digit), "integer", typed(INTEGER, node)), "=", integer(1, node), node),
  };
}
