/**
 * TPC-H's queries over models with row rules, planned for every source under `ROW_RULES=besteffort`. What a source plans without
 * rules it plans with them.
 */
import { describe, expect, test } from "vitest";
import { type Manifest, type Outcome, plan } from "../../src/planner/index.ts";
import type { DataSource, Plan } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { manifestOf, requestOf } from "../support/plan.ts";
import { type Benchmark, tryLoadTpc } from "./tpc.ts";
import { plainModels } from "./tpc-tables.ts";

const outcome = tryLoadTpc();

if ("notRun" in outcome) {
  describe("TPC-H under row rules", () => {
    test.skip(`not run: ${outcome.notRun}`, () => {});
    console.warn(`TPC-H under row rules: not run: ${outcome.notRun}`);
  });
} else {
  check(outcome.corpus.tpch);
}

function check({ queries, tables }: Benchmark): void {
  const free = manifestOf(plainModels(tables, (table) => ({ table })));
  const ruled = manifestOf(withRules(plainModels(tables, (table) => ({ table }))));

  function planned(sql: string, manifest: Manifest, source: DataSource): Outcome<Plan> {
    const options = { bestEffort: new Set(DATA_SOURCES) };
    const first = plan({ sql, ...requestOf(manifest, { source, unprovenFence: true, options }) });
    if (first.ok) return first;
    // The service plans again for the connection's server.
    const [variant] = first.error.liftedBy;
    return variant === undefined
      ? first
      : plan({ sql, ...requestOf(manifest, { source, variant, unprovenFence: true, options }) });
  }

  describe.each(DATA_SOURCES)("%s", (source) => {
    test.each(queries.map((sql, index) => ({ number: index + 1, sql })))("query $number", ({ sql }) => {
      const without = planned(sql, free, source);
      const under = planned(sql, ruled, source);
      if (!without.ok) {
        expect(under.ok).toBe(false);
        return;
      }
      if (!under.ok) throw under.error;
      expect(["plain", "fenced", "besteffort"]).toContain(under.value.rowRules);
    });

    test("plans all of them", () => {
      const refused = queries.flatMap((sql, index) => (planned(sql, ruled, source).ok ? [] : [index + 1]));
      expect(refused).toEqual([]);
    });
  });
}

/** A rule over the first column of each model. */
function withRules(manifest: unknown): unknown {
  const { models, ...rest } = manifest as {
    readonly models: readonly { readonly name: string; readonly columns: readonly { readonly name: string }[] }[];
  };
  return {
    ...rest,
    models: models.map((model) => ({
      ...model,
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: `${model.columns[0]?.name} > 7` }],
    })),
  };
}
