/** How many of the corpus's queries each source plans over models with row rules, by guarantee. */
import { plan } from "../../src/planner/index.ts";
import type { DataSource, RowGuarantee } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { requestOf } from "../support/plan.ts";
import { namingFor } from "./engines.ts";
import { corpusManifest } from "./manifest.ts";
import { CORPUS } from "./schemas.ts";
import type { CorpusTable } from "./tables.ts";

export interface RuleCounts {
  readonly source: DataSource;
  readonly plain: number;
  /** On servers on which the fence is proven. */
  readonly fenced: number;
  /** With `ROW_RULES=besteffort`; on servers on which the fence is not proven for sources with one. */
  readonly besteffort: number;
  /** With that setting. */
  readonly refused: number;
  /** Without row rules. */
  readonly refusedAnyway: number;
}

/** Every row has a first column; texts and numbers are compared alike with NULL. */
const ruleOf = ({ columns }: CorpusTable): string => `"${Object.keys(columns)[0]}" IS NOT NULL`;

export function ruleCounts(source: DataSource, schemas: typeof CORPUS = CORPUS): RuleCounts {
  const counts = { plain: 0, fenced: 0, besteffort: 0, refused: 0, refusedAnyway: 0 };
  const options = { bestEffort: new Set(DATA_SOURCES) };
  const naming = namingFor(source);
  for (const { schema, queries } of schemas) {
    const free = corpusManifest(schema, naming);
    const ruled = corpusManifest(schema, naming, ruleOf);
    for (const { sql } of queries) {
      if (!plan({ sql, ...requestOf(free, { source }) }).ok) {
        counts.refusedAnyway++;
        continue;
      }
      const outcome = plan({ sql, ...requestOf(ruled, { source, options }) });
      const guarantee: RowGuarantee | "refused" = outcome.ok ? outcome.value.rowRules : "refused";
      if (guarantee !== "none") counts[guarantee]++;
    }
  }
  return { source, ...counts };
}

export function ruleCountsTable(all: readonly RuleCounts[]): readonly string[] {
  const cell = (count: number): string => (count === 0 ? "·" : String(count));
  return [
    "| Source | plain | proven fence | best effort | refused over row rules | refused without rules, too |",
    "|---|---:|---:|---:|---:|---:|",
    ...all.map(
      ({ source, plain, fenced, besteffort, refused, refusedAnyway }) =>
        `| ${source} | ${[plain, fenced, besteffort, refused, refusedAnyway].map(cell).join(" | ")} |`,
    ),
  ];
}
