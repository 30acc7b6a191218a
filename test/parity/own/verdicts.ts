/** Verdicts on an account, counted, and the report of them. */
import type { DataSource } from "../../../src/planner/plan.ts";
import type { Verdict } from "../judge.ts";
import { limitOf } from "../limits.ts";

export interface Named {
  readonly name: string;
  readonly verdict: Verdict;
}

export interface Counted {
  readonly name: string;
  readonly counts: Readonly<Record<Verdict["outcome"], number>>;
  /** How often each reason was given. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Wrong answers, and the engine's errors but for those that are limits. */
  readonly faults: readonly Named[];
  /** How often each limit of the server was met. */
  readonly limits: ReadonlyMap<string, number>;
}

export function counted(source: DataSource, name: string, verdicts: readonly Named[]): Counted {
  const counts = { right: 0, refused: 0, "engine error": 0, wrong: 0 };
  const [refusals, limits] = [new Map<string, number>(), new Map<string, number>()];
  const faults: Named[] = [];
  for (const one of verdicts) {
    const { verdict } = one;
    counts[verdict.outcome]++;
    if (verdict.outcome === "right") continue;
    const limit = verdict.outcome === "engine error" ? limitOf(source, verdict.detail) : undefined;
    if (verdict.outcome === "refused") count(refusals, verdict.detail);
    else if (limit !== undefined) count(limits, limit);
    else faults.push(one);
  }
  return { name, counts, refusals, faults, limits };
}

function count(times: Map<string, number>, what: string, more = 1): void {
  times.set(what, (times.get(what) ?? 0) + more);
}

/** Markdown. */
export function lines(
  source: string,
  version: string,
  suites: readonly Counted[],
  schema: string | undefined,
): readonly string[] {
  const faults = suites.flatMap(({ name, faults: found }) => found.map((fault) => [name, fault] as const));
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
    ...listed("Limits of the server", suites, ({ limits }) => limits),
    ...listed("Refused", suites, ({ refusals }) => refusals),
  ];
}

/** Nothing where there is none of them. */
function listed(
  title: string,
  suites: readonly Counted[],
  timesOf: (suite: Counted) => ReadonlyMap<string, number>,
): readonly string[] {
  const all = new Map<string, number>();
  for (const suite of suites) for (const [what, times] of timesOf(suite)) count(all, what, times);
  if (all.size === 0) return [];
  const most = [...all].toSorted((a, b) => b[1] - a[1]);
  return ["", `## ${title}`, "", ...most.map(([what, times]) => `- ${times} × ${oneLine(what)}`)];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
