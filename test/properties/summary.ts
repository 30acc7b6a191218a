/** The result of a run, in lines of Markdown. */
import { PROPERTIES, type Tally } from "./judge.ts";
import { casesOf, type Run } from "./run.ts";

export function shareOfRefusals(tally: Tally): number {
  const refused = [...tally.refusals.values()].reduce((sum, count) => sum + count, 0);
  return refused / (casesOf(tally) + refused);
}

export function summary({ tally, first, seeds }: Run): readonly string[] {
  const share = (count: number): string => `${((100 * count) / casesOf(tally)).toFixed(2)} %`;
  return [
    `Seeds ${first} to ${first + seeds - 1}: ${casesOf(tally).toLocaleString("en")} cases, ${tally.mismatches.length} mismatches.`,
    `Of their answers ${tally.twins.toLocaleString("en")} were compared with PostgreSQL's over the same tables.`,
    "",
    "| Property | Cases |",
    "|---|---|",
    ...PROPERTIES.map((property) => `| ${property} | ${(tally.cases.get(property) ?? 0).toLocaleString("en")} |`),
    "",
    "| Refused, besides | Times | Of the cases |",
    "|---|---|---|",
    ...[...tally.refusals].map(([reason, count]) => `| ${reason} | ${count.toLocaleString("en")} | ${share(count)} |`),
  ];
}
