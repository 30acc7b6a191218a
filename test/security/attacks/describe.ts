/** Attempts to get around access rules, on real sources: what comes back holds nothing of what the rules withhold. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { readCells } from "../../support/canonical-cells.ts";
import type { ActualRows } from "../../support/comparator.ts";
import { plannedOn } from "../../support/plan.ts";
import { CANARY, RULES, SESSION, shop, type World } from "../access-world.ts";
import type { Heading } from "./heading.ts";
import { ATTACKS } from "./index.ts";

type Outcome =
  | { readonly kind: "rows"; readonly names: readonly string[]; readonly rows: ActualRows; readonly told: string }
  | { readonly kind: "refused" | "failed"; readonly reason: string; readonly told: string };

async function ask(sql: string, manifest: Manifest, { source, opened }: World): Promise<Outcome> {
  try {
    const plan = plannedOn(opened.variant, sql, manifest, { source, session: SESSION });
    const stream = await opened.connector.query(statementOf(plan), {
      signal: new AbortController().signal,
      timeoutMs: 30_000,
      // One caller: each statement would have an engine of its own otherwise.
      isolation: "tests",
    });
    const { rows } = await readCells(stream);
    const names = plan.columns.map(({ name }) => name);
    const { columns, warnings, lineage, reads } = plan;
    // The types that a connector reads a file by are not for callers.
    const told = reads().map(({ declared: _declared, ...rest }) => rest);
    return { kind: "rows", names, rows, told: shown({ columns, warnings, lineage: lineage(), reads: told, rows }) };
  } catch (error) {
    if (error instanceof PlannerError) {
      const { message, hint, suggestions } = error;
      return { kind: "refused", reason: error.reason, told: shown({ message, hint, suggestions }) };
    }
    if (error instanceof ConnectorFailure) return { kind: "failed", reason: error.message, told: error.message };
    throw error;
  }
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? each.toString() : each));

/** In order only where the query fixes it. */
function rowsOf({ rows }: { readonly rows: ActualRows }, sql: string, world: World): readonly string[] {
  const texts = textsOf(rows, world);
  return /ORDER BY[^()]*$/.test(sql) ? texts : texts.sort();
}

const textsOf = (rows: readonly (readonly unknown[])[], { plansWidths }: World): string[] =>
  rows.map((row) => shown(plansWidths ? row.map(ofAnyWidth) : row));

const ofAnyWidth = (cell: unknown): unknown =>
  typeof cell === "number" && Number.isInteger(cell) ? BigInt(cell) : cell;

/**
 * Two rules of different plans, and one of the others by turns: every attack against every rule takes minutes. All of them
 * with `ACCESS_RULES=all`.
 */
export function rulesByTurns(): ((sql: string) => ReadonlySet<string>) | undefined {
  if (process.env["ACCESS_RULES"] === "all") return undefined;
  const names = Object.keys(RULES);
  return (sql) => new Set(["literal", "exists", names[sql.length % names.length] ?? ""]);
}

/** One rule each, every other time the one that engines plan as a join. */
export function oneByTurns(): ((sql: string) => ReadonlySet<string>) | undefined {
  if (process.env["ACCESS_RULES"] === "all") return undefined;
  const names = Object.keys(RULES);
  return (sql) => new Set([sql.length % 2 === 0 ? "exists" : (names[sql.length % names.length] ?? "")]);
}

/** `chosen`: names of the rules for each attack; every one when absent. */
export function describeAttacks(
  open: () => Promise<World>,
  chosen?: (sql: string) => ReadonlySet<string>,
  attacks: readonly Heading[] = ATTACKS,
): void {
  let world: World;
  /** The shop over copies that hold only what the rules leave. */
  let without: Manifest;
  beforeAll(async () => {
    world = await open();
    without = shop(world, world.left, undefined);
  });

  afterAll(() => world.close());

  /** Made once for each rule: what a manifest costs is not what is tested here. */
  const ruled = new Map<string, Manifest>();
  const manifestOf = (name: string, rules: readonly object[]): Manifest => {
    const manifest = ruled.get(name) ?? shop(world, world.whole, rules);
    ruled.set(name, manifest);
    return manifest;
  };

  const manifestsFor = (sql: string): readonly (readonly [string, Manifest])[] => {
    const names = chosen?.(sql);
    return Object.entries(RULES).flatMap(([name, { rules }]) =>
      names === undefined || names.has(name) ? [[name, manifestOf(name, rules)] as const] : [],
    );
  };

  test.each(Object.entries(RULES))("the %s rule leaves what it says", async (rule, { rules, byHand }) => {
    const own = await world.admin(`SELECT id, note FROM orders WHERE ${byHand}`);
    const outcome = await ask("SELECT id, note FROM orders", manifestOf(rule, rules), world);
    expect(own).toHaveLength(4);
    expect(outcome.kind === "rows" ? textsOf(outcome.rows, world).sort() : outcome).toEqual(textsOf(own, world).sort());
  });

  describe.each(attacks)("$heading", ({ answered, failing = [], refused }) => {
    test.each(failing)("%s", async (sql) => {
      const copies = await ask(sql, without, world);
      expect(copies.kind, copies.told).toBe("failed");
      for (const [rule, manifest] of manifestsFor(sql)) {
        const outcome = await ask(sql, manifest, world);
        expect(outcome.told, rule).not.toMatch(CANARY);
        if (outcome.kind === "refused") expect(outcome, rule).toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE" });
        else expect(outcome.kind, `${rule}: ${outcome.told}`).toBe("failed");
      }
    });

    test.each(answered)("%s", async (sql) => {
      const copies = await ask(sql, without, world);
      for (const [rule, manifest] of manifestsFor(sql)) {
        const outcome = await ask(sql, manifest, world);
        expect(outcome.told, rule).not.toMatch(CANARY);
        if (outcome.kind === "refused") {
          expect(outcome, rule).toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE" });
          continue;
        }
        expect(outcome, `${rule}: ${outcome.told}`).toMatchObject({ kind: "rows" });
        expect(copies, copies.told).toMatchObject({ kind: "rows" });
        if (outcome.kind !== "rows" || copies.kind !== "rows") continue;
        expect(outcome.names, rule).toEqual(copies.names);
        expect(rowsOf(outcome, sql, world), rule).toEqual(rowsOf(copies, sql, world));
      }
    });

    test.each(refused)("%s", async (sql) => {
      for (const [rule, manifest] of manifestsFor(sql)) {
        const outcome = await ask(sql, manifest, world);
        expect(outcome.kind, `${rule}: ${outcome.told}`).toBe("refused");
        // Text that the caller wrote may come back.
        expect(outcome.told.replaceAll(/canary_(secret|owner_key)/g, ""), rule).not.toMatch(CANARY);
      }
    });
  });
}
