/** Verdicts on an account, counted, and the report of them. */
import type { Verdict } from "../judge.ts";

export interface Named {
  readonly name: string;
  readonly verdict: Verdict;
}

export interface Counted {
  readonly name: string;
  readonly counts: Readonly<Record<Verdict["outcome"], number>>;
  /** How often each reason was given. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Wrong answers, and the engine's errors. */
  readonly faults: readonly Named[];
}

export function counted(name: string, verdicts: readonly Named[]): Counted {
  const counts = { right: 0, refused: 0, "engine error": 0, wrong: 0 };
  const refusals = new Map<string, number>();
  for (const { verdict } of verdicts) {
    counts[verdict.outcome]++;
    if (verdict.outcome === "refused") refusals.set(verdict.detail, (refusals.get(verdict.detail) ?? 0) + 1);
  }
  const faults = verdicts.filter(({ verdict: { outcome } }) => outcome === "wrong" || outcome === "engine error");
  return { name, counts, refusals, faults };
}

/** Markdown. */
export function lines(
  source: string,
  version: string,
  suites: readonly Counted[],
  schema: string | undefined,
): readonly string[] {
  const faults = suites.flatMap(({ name, faults: found }) => found.map((fault) => [name, fault] as const));
  const refusals = new Map<string, number>();
  for (const suite of suites)
    for (const [reason, times] of suite.refusals) refusals.set(reason, (refusals.get(reason) ?? 0) + times);
  return [
    `# Parity of ${source}, ${version}`,
    "",
    "| suite | right | refused | engine error | wrong |",
    "|---|---|---|---|---|",
    ...suites.map(
      ({ name, counts }) =>
        `| ${name} | ${counts.right} | ${counts.refused} | ${counts["engine error"]} | ${counts.wrong} |`,
    ),
    ...(schema === undefined ? ["", "The analyst queries were *not run*: no `--schema` was named."] : []),
    ...(faults.length === 0 ? [] : ["", "## Faults", ""]),
    ...faults.map(([suite, { name, verdict }]) => {
      const detail = "detail" in verdict ? verdict.detail : "";
      return `- ${suite}, ${verdict.outcome}: ${oneLine(detail)}\n  \`${oneLine(name)}\``;
    }),
    ...(refusals.size === 0 ? [] : ["", "## Refused", ""]),
    ...[...refusals].toSorted((a, b) => b[1] - a[1]).map(([reason, times]) => `- ${times} × ${oneLine(reason)}`),
  ];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
