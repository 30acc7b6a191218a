/** Templates that several modules of MySQL share. */
import { isSpelled, spelled, words } from "../../lowering/templates/template.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import type { Expression, Span, Spelled } from "../../syntax/tree.ts";
import { BIGINT, type SqlType } from "../../types.ts";

interface Replaced {
  readonly span: Span;
  readonly type?: SqlType | undefined;
}

const CONCAT = words("CONCAT($*)");

/** CONCAT is NULL where a part is; the catalogue's `concat` skips those, and is never NULL. */
export const concat = (parts: readonly Expression[], at: Replaced): Expression => spelled(CONCAT, parts, at);

const JSON_DOCUMENT = words("CONCAT($*)");

/** The text of a document, part by part. */
export const jsonDocument = (parts: readonly Expression[], at: Replaced): Expression =>
  spelled(JSON_DOCUMENT, parts, at);

export const isJsonDocument = (value: Expression): value is Spelled => isSpelled(value, JSON_DOCUMENT);

const IN_UTF8 = words("CONVERT($1 USING utf8mb4)");

export const inUtf8 = (value: Expression, at: Replaced): Expression => spelled(IN_UTF8, [value], at);

const TRIMS = {
  both: words("TRIM(BOTH $2 FROM $1)"),
  leading: words("TRIM(LEADING $2 FROM $1)"),
  trailing: words("TRIM(TRAILING $2 FROM $1)"),
} as const;

/** TRIM removes one text from the ends, and not any of its characters. */
export const trim = (side: keyof typeof TRIMS, value: Expression, text: Expression, at: Replaced): Expression =>
  spelled(TRIMS[side], [value, text], at);

export const BETWEEN = {
  microsecond: words("TIMESTAMPDIFF(MICROSECOND, $1, $2)", { type: BIGINT }),
  second: words("TIMESTAMPDIFF(SECOND, $1, $2)", { type: BIGINT }),
  minute: words("TIMESTAMPDIFF(MINUTE, $1, $2)", { type: BIGINT }),
  hour: words("TIMESTAMPDIFF(HOUR, $1, $2)", { type: BIGINT }),
  day: words("TIMESTAMPDIFF(DAY, $1, $2)", { type: BIGINT }),
  month: words("TIMESTAMPDIFF(MONTH, $1, $2)", { type: BIGINT }),
} as const;

/** See `instantSql`. */
export const MYSQL_INSTANT = instantSql({
  inZone: (time) => `CONVERT_TZ(${time}, '+00:00', $2)`,
  days: (time, days) => `DATE_ADD(${time}, INTERVAL ${days} DAY)`,
  minus: (time, from, to) => `DATE_ADD(${time}, INTERVAL TIMESTAMPDIFF(SECOND, ${to}, ${from}) SECOND)`,
});

/** Full units from the first time to the second. */
export const unitsBetween = (unit: keyof typeof BETWEEN, from: Expression, to: Expression, at: Replaced): Expression =>
  spelled(BETWEEN[unit], [from, to], at);
