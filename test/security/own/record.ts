/** Findings of one run on an account, and their record in Markdown. */
import type { Run } from "../noninterference/run.ts";
import type { AttackCounts } from "./fence-attacks.ts";

export interface Found {
  readonly source: string;
  readonly version: string;
  readonly date: string;
  /** The barriers were taken out of the plans. */
  readonly withoutBarrier: boolean;
  readonly attacks: AttackCounts;
  readonly noninterference: Run;
}

/** One line for each statement over which an excluded row showed. */
export function leaksOf({ attacks, noninterference }: Found): readonly string[] {
  return [
    ...attacks.leaks.map(({ rule, sql, detail }) => `attack, rule ${rule}: ${oneLine(detail)}\n  \`${oneLine(sql)}\``),
    ...noninterference.findings.map(
      ({ rule, question, detail, seed }) =>
        `noninterference, rule ${rule}, seed ${seed}: ${oneLine(detail)}\n  \`${oneLine(question)}\``,
    ),
  ];
}

/** Neither suite shows anything unless attacks were armed and statements answered. */
export function showsSomething({ attacks, noninterference }: Found): boolean {
  return attacks.armed > attacks.refused && noninterference.total.answered > 0;
}

export function recordOf(found: Found): readonly string[] {
  const { source, version, date, withoutBarrier, attacks, noninterference: run } = found;
  const leaks = leaksOf(found);
  const held = [...attacks.held].map(([guarantee, count]) => `${count} ${guarantee}`).join(", ");
  return [
    `# Row rules on ${source}`,
    "",
    "| | |",
    "|---|---|",
    `| Engine | ${source} ${version} |`,
    `| Date | ${date} |`,
    `| Barriers | ${withoutBarrier ? "**taken out of the plans**" : "as planned with ROW_RULES=besteffort"} |`,
    `| Attacks that fail over excluded rows and not over others | ${attacks.armed} |`,
    `| … refused by the planner | ${attacks.refused} |`,
    `| … answered as over the rows that the rule leaves | ${held === "" ? "0" : held} |`,
    `| … that showed an excluded row | ${attacks.leaks.length} |`,
    `| Attacks left out, because they do not fail on this source or it cannot run them | ${attacks.harmless} |`,
    `| Statements over three worlds | ${run.statements}, from seed ${run.first} on |`,
    `| … answered, refused, failed | ${run.total.answered}, ${run.total.refused}, ${run.total.failed} |`,
    `| … with different answers | ${run.findings.length} |`,
    "",
    ...(leaks.length === 0
      ? [showsSomething(found) ? "Nothing leaked." : "Nothing leaked, but nothing was shown either: no attack ran."]
      : ["## Leaks", "", ...leaks.map((leak) => `- ${leak}`)]),
  ];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
