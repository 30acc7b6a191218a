/** How many of the corpus's queries each source refuses, and why. */
import { plan } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { requestOf } from "../support/plan.ts";
import { namingFor } from "./engines.ts";
import { corpusManifest } from "./manifest.ts";
import { howPlanned, whyJust } from "./refusal-reasons.ts";
import { CORPUS } from "./schemas.ts";

export interface Refusals {
  readonly source: DataSource;
  readonly queries: number;
  /** Queries by the reason that the planner gives, the most frequent first. Only the first reason of a query is known. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

/** The construct that a message names, without the product, positions and the names of columns. */
const reasonOf = (message: string): string =>
  message
    .replace(/^not supported on [^:]+: /, "")
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/\d+/g, "n");

/** Topics that the counts leave out, so that they compare with earlier ones over the same 1,726 queries. */
const ADDED_LATER = ["freight/roles/", "webshop/reporting-tools/"];

export function refusalsOf(source: DataSource, schemas: typeof CORPUS = CORPUS): Refusals {
  const counts = new Map<string, number>();
  const naming = namingFor(source);
  let queries = 0;
  for (const { schema, queries: asked } of schemas) {
    const manifest = corpusManifest(schema, naming);
    for (const { id, sql } of asked) {
      if (ADDED_LATER.some((topic) => id.startsWith(topic))) continue;
      queries++;
      const outcome = plan({ sql, ...requestOf(manifest, { source, options: { unknownFunctions: "refuse" } }) });
      if (outcome.ok) continue;
      const reason = reasonOf(outcome.error.message);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return { source, queries, reasons: [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)) };
}

const escaped = (reason: string): string => reason.replaceAll("|", "\\|");

/** The reasons that cost most over all sources, by source. */
function constructsTable(all: readonly Refusals[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { reasons } of all) {
    for (const [reason, count] of reasons) sums.set(reason, (sums.get(reason) ?? 0) + count);
  }
  const ranked = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MOST_CONSTRUCTS);
  const cells = (reason: string): readonly string[] =>
    all.map(({ reasons }) => String(reasons.find(([each]) => each === reason)?.[1] ?? ""));
  return [
    `| Construct | ${all.map(({ source }) => source).join(" | ")} | all |`,
    `|---|${"---:|".repeat(all.length + 1)}`,
    ...ranked.map(([reason, sum]) => `| ${escaped(reason)} | ${cells(reason).join(" | ")} | ${sum} |`),
  ];
}

const MOST_CONSTRUCTS = 60;

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

type Reasons = Refusals["reasons"];

const sumOf = (reasons: Reasons): number => reasons.reduce((sum, [, count]) => sum + count, 0);

/** Reasons that `lineOf` has a line for, under `title`; no lines if there are none. */
function linesTable(
  reasons: Reasons,
  title: string,
  lineOf: (reason: string) => string | undefined,
): readonly string[] {
  const rows = reasons.flatMap(([reason, count]) => {
    const line = lineOf(reason);
    return line === undefined ? [] : [`| ${escaped(reason)} | ${count} | ${line} |`];
  });
  return rows.length === 0 ? [] : ["", `| Reason | Queries | ${title} |`, "|---|---:|---|", ...rows];
}

/** Reasons without a line stand alone, so that nobody takes them for just. */
function sourceTables({ source, reasons }: Refusals): readonly string[] {
  const untold = reasons.filter(([reason]) => (whyJust(reason, source) ?? howPlanned(reason, source)) === undefined);
  return [
    "",
    `## ${source}`,
    ...linesTable(reasons, "Why it stays", (reason) => whyJust(reason, source)),
    ...linesTable(reasons, "Not planned yet", (reason) => howPlanned(reason, source)),
    ...linesTable(untold, "No line yet", () => ""),
  ];
}

export function refusalsTable(all: readonly Refusals[]): readonly string[] {
  const total = ({ reasons }: Refusals): number => sumOf(reasons);
  const notYet = ({ source, reasons }: Refusals): number =>
    sumOf(reasons.filter(([reason]) => whyJust(reason, source) === undefined));
  const rows = [...all].sort((a, b) => total(a) - total(b));
  return [
    "| Source | Queries | Refused | Share | Of them not planned yet |",
    "|---|---:|---:|---:|---:|",
    ...rows.map(
      (each) =>
        `| ${each.source} | ${each.queries} | ${total(each)} | ${percent(total(each), each.queries)} | ${notYet(each)} |`,
    ),
    ...rows.flatMap(sourceTables),
    "",
    "## By construct",
    "",
    ...constructsTable(all),
  ];
}
