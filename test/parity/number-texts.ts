/** Formats of `to_char` over numbers around each power of ten, zeros, halves and both signs. */
import type { Random } from "../support/random-query.ts";

/** Every mark and sign, with and without FM, and with texts around the number. */
export const NUMBER_FORMATS: readonly string[] = [
  ..."9 99 999 9999 0 00 0000 0999 9099 9990 99990 9,999 0,999 9,099 99,99 9,9,9 9G999 999,999,999 099,999,990".split(
    " ",
  ),
  ..."9.9 9.99 9.09 9.90 99D9 9990.00 9999.99 0000.000 999,990.0 999,999.999 9G999D99 999G999G990D00".split(" "),
  ..."FM9 FM999 FM0000 FM9990 FM9999999990 FM9,999 FM0,999 FM9,999,999,999 FM999,999,990.00 FM990.0 FM990.9 FM9.99".split(
    " ",
  ),
  ..."FM9.90 FM9.09 FM99.99 FM9999.9999 FM999,999.9 fm999990.00 FM999999990.00 FM999G999D0".split(" "),
  ..."S9 S999 S9990.0 S9,999.9 FMS999.9 S99990.00 999S 9990.0S FM999S SG999 SG9,990.00 FMSG9990.0 999SG FM999.9SG".split(
    " ",
  ),
  ..."MI999 MI9,990.0 FMMI999 999MI 9990.00MI FM999MI 999PR 9,990.00PR FM999PR FM9990.0PR 0000PR S0000.00 0000MI".split(
    " ",
  ),
  "$9,990.00",
  "FM$9,999",
  'FM"about "999,990 €',
  '"USD "9990.00',
  "FM999990.00%",
  "99 %",
  "(9990)",
  `FM"it's "990.0" kg"`,
];

const DECIMALS =
  "0 0.4 0.5 -0.5 0.004 -0.004 0.05 -0.05 1 -1 9.5 -9.5 9.99 9.949 9.9951 99.995 -99.995 100 -123.456 999 999.5 -999.4999 1000 1234.5 -9999.9 -1234567.891 12345678.9";
const INTEGERS = "0 1 -1 9 -9 10 42 -42 99 100 -100 999 -999 1000 1234 -9999 1234567 -2147483648 2147483647";

const rowsOf = (numbers: string, type: string): string =>
  [...numbers.split(" "), "NULL"].map((number, index) => `(${index}, (${number})::${type})`).join(", ");

const RELATIONS = [rowsOf(DECIMALS, "numeric(18, 4)"), rowsOf(INTEGERS, "int")].map(
  (rows) => `(VALUES ${rows}) AS t(id, x)`,
);

const shown = (format: string, index: number): string => `to_char(x, '${format.replaceAll("'", "''")}') AS c${index}`;

/** Several formats a statement, for each statement is a wait. */
export const queriesOfFormats = (formats: readonly string[]): readonly string[] =>
  RELATIONS.flatMap((relation) =>
    Array.from({ length: Math.ceil(formats.length / 6) }, (_, part) => {
      const columns = formats.slice(part * 6, part * 6 + 6).map(shown);
      return `SELECT id, ${columns.join(", ")} FROM ${relation} ORDER BY id`;
    }),
  );

/** Sums, averages, quotients, literals and long operands. */
export const NUMBER_TEXTS: readonly string[] = [
  `SELECT to_char(sum(x), 'FM999,999,999,990.00') AS a, to_char(max(x), '9G999G990D00') AS b FROM ${RELATIONS[0]}`,
  `SELECT to_char(sum(x) * 52, 'FM999,999,999,990.00') AS a, to_char(count(*), 'FM9,999') AS b FROM ${RELATIONS[1]}`,
  `SELECT id % 3 AS k, to_char(100.0 * sum(id) / sum(sum(id)) OVER (), 'FM990.0') || '%' AS a FROM ${RELATIONS[0]} GROUP BY id % 3 ORDER BY 1`,
  "SELECT to_char(1234.5, '9999.99') AS a, to_char(-0.5, '990') AS b, to_char(1234567, 'FM9,999,999') AS c",
  "SELECT to_char(x, 'FM999999999999999999') AS a, to_char(x, '99,999,999') AS b FROM (VALUES (9223372036854775807), (-9223372036854775807), (999999999999999999), (NULL)) AS t(x) ORDER BY x",
  `SELECT to_char(x, 'FM990.0') AS a, count(*) AS n FROM ${RELATIONS[0]} GROUP BY to_char(x, 'FM990.0') ORDER BY 2 DESC, 1`,
  `SELECT id FROM ${RELATIONS[1]} WHERE to_char(x, 'FM9,999') = '1,234'`,
];

/** A format that is planned: digits on both sides of a point, commas between them, a sign, and texts around. */
export function randomNumberFormat(random: Random): string {
  const digits = (length: number): string =>
    Array.from({ length }, () => random.pick(["9", "9", "0", "9,"]))
      .join("")
      .replace(/,$/, "");
  const whole = digits(1 + random.below(8));
  const fraction = random.chance(0.6) ? `${random.pick([".", "D", "."])}9${digits(random.below(3))}` : "";
  const body = (random.chance(0.1) ? whole.replaceAll(",", "G") : whole) + fraction.replaceAll(",", "");
  const signed = random.pick(["", "", "", "S<", "S>", "SG<", "SG>", "MI<", "MI>", "PR>"]);
  const sign = signed.slice(0, -1);
  const number = signed.endsWith("<") ? sign + body : body + sign;
  const texts = random.pick(["", "", "", "$", "€ ", '"USD "']);
  return `${random.pick(["", "FM", "FM", "fm"])}${texts}${number}${random.pick(["", "", "", "%", " ", '" kg"'])}`;
}
