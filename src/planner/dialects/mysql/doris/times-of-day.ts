/**
 * Times of day, which no column of Doris can hold, as numbers of microseconds. A text is taken apart by a regular expression:
 * https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/string-functions/regexp-extract
 */

import { spelled, words } from "../../../lowering/templates/template.ts";
import type { NumberedTimes } from "../../../lowering/times/numbered-times.ts";
import { inPlaceOf } from "../../../syntax/build.ts";
import type { Cast, Expression } from "../../../syntax/tree.ts";
import { sinceMidnight } from "./times.ts";

const FORM = "^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]([.][0-9]{1,6})?)$";
const part = (group: number): string => `REGEXP_EXTRACT($1, '${FORM}', ${group})`;

/** A text without that form has empty parts, which no strict cast reads. */
const OF_TEXT = words(
  `(CAST(${part(1)} AS BIGINT) * 3600000000 + CAST(${part(2)} AS BIGINT) * 60000000` +
    ` + CAST(CAST(${part(3)} AS DECIMAL(8, 6)) * 1000000 AS BIGINT))`,
);

export const NUMBERED_TIMES: NumberedTimes = {
  ofTimestamp: (node: Cast): Expression => ({ ...sinceMidnight(node.operand), ...inPlaceOf(node) }) as Expression,
  ofText: (node: Cast): Expression => spelled(OF_TEXT, [node.operand], inPlaceOf(node)),
};
