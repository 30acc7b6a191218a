/** The planner's lineage, which comes from binding, says of the acceptance cases what the analysis says of them by names. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { analyseStatement, type Manifest, type QueryAnalysis } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const { manifests, cases } = JSON.parse(
  readFileSync(new URL("../../cases/planner-cases.json", import.meta.url), "utf8"),
) as {
  readonly manifests: Readonly<Record<string, unknown>>;
  readonly cases: readonly { readonly id: string; readonly sql?: string; readonly manifest?: string }[];
};

interface Compared {
  readonly id: string;
  readonly sql: string;
  readonly plan: Plan;
  readonly manifest: Manifest;
}

/** The cases that plan today. */
const COMPARED: readonly Compared[] = cases.flatMap(({ id, sql, manifest: name }) => {
  if (!sql || name === undefined) return [];
  try {
    const manifest = manifestOf(manifests[name]);
    return [{ id, sql, manifest, plan: planned(sql, manifest) }];
  } catch (error) {
    if (error instanceof PlannerError) return [];
    throw error;
  }
});

function analysed({ sql, manifest }: Compared): readonly QueryAnalysis[] {
  const outcome = analyseStatement({ sql, manifest, limits: DEFAULT_LIMITS });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/** Whether everything in FROM is a model, so that names lead to its columns at once. */
function readsModels(relation: QueryAnalysis["relation"], models: ReadonlySet<string>): boolean {
  if (relation === undefined) return true;
  if (relation.left !== undefined) return readsModels(relation.left, models) && readsModels(relation.right, models);
  return relation.type === "TABLE" && models.has(relation.tableName ?? "");
}

/** Sub-queries, stars over calculated columns and merged columns are told in another way on purpose. */
function isPlain(each: Compared): boolean {
  const [only, ...others] = analysed(each);
  const models = new Set(each.manifest.data.models.map(({ name }) => name));
  const direct = others.length === 0 && only !== undefined && readsModels(only.relation, models);
  return direct && !/\(\s*select|\*|using|natural/i.test(each.sql);
}

const PLAIN = COMPARED.filter(isPlain);

describe("cases that plan", () => {
  it("are many", () => expect(PLAIN.length).toBeGreaterThan(40));

  it.each(PLAIN)("$id $sql", (each) => {
    const [only] = analysed(each);
    const told = only?.selectItems.map(({ exprSources }) =>
      [...new Set(exprSources.map((source) => `${source.sourceDataset}.${source.sourceColumn}`))].sort(),
    );
    expect(told).toEqual(each.plan.lineage().map(({ sources }) => [...sources].sort()));
  });
});
