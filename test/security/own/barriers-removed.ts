/** Takes the barriers out of a plan's SQL, to show that `npm run fences -- --without-barrier` reports what they hold back. */

/** Every form of `src/planner/expand/fence.ts`, as the dialects print it. */
const BARRIERS: readonly (readonly [form: RegExp, without: string])[] = [
  [/ LIMIT 18446744073709551615 OFFSET 0(?=\))/g, ""],
  [/ OFFSET 0(?=\))/g, ""],
  [/ LIMIT 9223372036854775807(?=\))/g, ""],
  [/\bTOP \(9223372036854775807\) /g, ""],
  [/ AS MATERIALIZED \(/g, " AS NOT MATERIALIZED ("],
  [/any\(((?:["`][^"`]*["`]\.?)+)\) OVER \(ROWS BETWEEN CURRENT ROW AND CURRENT ROW\)/g, "$1"],
  [/first_value\(((?:`[^`]*`\.?)+)\) OVER \([^()]*\)/gi, "$1"],
  [/ WHERE ["`]?_f["`]?\.["`]?_n["`]? >=? 0/gi, ""],
];

export function withoutBarriers(sql: string): string {
  return BARRIERS.reduce((text, [form, without]) => text.replaceAll(form, without), sql);
}
