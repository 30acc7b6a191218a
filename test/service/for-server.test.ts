/** Statements that only some servers of a source take: planned for all, and only where that is refused for the one that is there. */
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { AuditTrail } from "../../src/guard/audit.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { VariantRange } from "../../src/planner/plan.ts";
import { dryPlan } from "../../src/service/plan.ts";
import { dryRun, type QueryRequest, query } from "../../src/service/query.ts";
import { planOf, type TestServices, testContext, testServices } from "./in-memory.ts";

const REQUEST: QueryRequest = { source: "mysql", sql: "SELECT a FROM m", manifestStr: "bTE=", connectionInfo: {} };
const OLD: VariantRange = { product: "memory", from: [1], below: [2] };
const NEW: VariantRange = { product: "memory", from: [2] };

/** A planner that plans for these only, and a source of a version. */
function services(liftedBy: readonly VariantRange[], version = "memory 2.1"): TestServices {
  const made = testServices({ script: { catalog: { version } } });
  made.planner.answer = (request) => {
    const { variant } = request;
    if (variant !== undefined) return { ok: true, value: planOf(request, { variant }) };
    return { ok: false, error: new PlannerError("UNSUPPORTED_ON_SOURCE", "cannot say it", { liftedBy }) };
  };
  return made;
}

async function run(made: TestServices, request: QueryRequest = REQUEST): Promise<void> {
  const context = testContext();
  const answer = await query(made, context, request);
  await answer.rows.close();
  await answer.ended;
  await context.settled();
}

const askedVersions = (made: TestServices): number =>
  made.sources.requests.filter(({ kind }) => kind === "version").length;

describe("a statement that some servers take", () => {
  it("is planned for the one that is there, and says so, over one connector", async () => {
    const made = services([OLD, NEW]);
    await run(made);
    expect(made.sources.statements.map(({ variant }) => variant)).toEqual([NEW]);
    expect(made.sources.events.filter((event) => event === "open" || event === "connector closed")).toEqual([
      "open",
      "connector closed",
    ]);
  });

  it("is checked on its source in the same way", async () => {
    const made = services([NEW]);
    await dryRun(made, testContext(), REQUEST);
    expect(made.sources.statements.map(({ variant }) => variant)).toEqual([NEW]);
  });

  it("is refused where the one that is there does not, in the words of the refusal for all", async () => {
    const made = services([OLD]);
    await expect(run(made)).rejects.toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE", message: "cannot say it" });
    expect(made.sources.statements).toEqual([]);
  });

  it("asks the source once, and once more for each other connection", async () => {
    const made = services([NEW]);
    await run(made);
    await run(made);
    expect(askedVersions(made)).toBe(1);
    await run(made, { ...REQUEST, connectionInfo: { password: "another" } });
    expect(askedVersions(made)).toBe(2);
  });

  it("is answered to two callers at once, each over its own connection", async () => {
    const made = services([NEW]);
    await Promise.all([
      run(made, { ...REQUEST, connectionInfo: { user: "a" } }),
      run(made, { ...REQUEST, connectionInfo: { user: "b" } }),
    ]);
    expect(made.sources.statements).toHaveLength(2);
    expect(askedVersions(made)).toBe(2);
  });

  it("is audited as one statement, with what it reads", async () => {
    const audit = new AuditTrail();
    const context = testContext({ audit });
    const made = services([NEW]);
    await (await query(made, context, REQUEST)).rows.close();
    expect((await audit.record())?.statements).toHaveLength(1);
  });

  it("is refused without a connection, and nothing is asked", async () => {
    const made = services([NEW]);
    const { source, sql, manifestStr } = { ...REQUEST, sql: "SELECT a FROM m" };
    expect(() => dryPlan(made, testContext(), { source, sql, manifestStr })).toThrow("cannot say it");
    expect(made.sources.events).toEqual([]);
  });

  it("fails as the connection does where that cannot be asked", async () => {
    const made = services([NEW]);
    made.sources.script = { catalogError: new ConnectorFailure("AUTHENTICATION", "no") };
    await expect(run(made)).rejects.toMatchObject({ reason: "AUTHENTICATION" });
  });
});

describe("a statement that no server takes", () => {
  it("is refused, and nothing is asked", async () => {
    const made = services([]);
    await expect(run(made)).rejects.toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE" });
    expect(made.sources.events).toEqual(["prepare"]);
  });
});

describe("a server that has become another one", () => {
  const another = new ConnectorFailure("ANOTHER_VARIANT", "another one");

  /** The first statement meets another server than was asked. */
  function changing(made: TestServices, change: () => void): void {
    const { prepare } = made.sources;
    made.sources.prepare = (source, connectionInfo) => {
      const prepared = prepare.call(made.sources, source, connectionInfo);
      return {
        ...prepared,
        open: async (options) => {
          const connector = await prepared.open(options);
          const { query: ask } = connector;
          connector.query = (statement, call) => {
            const { queryError } = made.sources.script;
            const answer = ask.call(connector, statement, call);
            if (queryError !== undefined) change();
            return answer;
          };
          return connector;
        },
      };
    };
  }

  it("is asked again, and the statement planned for it", async () => {
    const made = services([OLD, NEW], "memory 1.9");
    await run(made);
    made.sources.script = { ...made.sources.script, queryError: another };
    changing(made, () => {
      made.sources.script = { catalog: { version: "memory 2.0" } };
    });
    await run(made);
    expect(made.sources.statements.map(({ variant }) => variant)).toEqual([OLD, OLD, NEW]);
    expect(askedVersions(made)).toBe(2);
  });

  it("is asked again once, and no more", async () => {
    const made = services([NEW]);
    made.sources.script = { ...made.sources.script, queryError: another };
    await expect(run(made)).rejects.toMatchObject({ reason: "ANOTHER_VARIANT" });
    expect(made.sources.statements).toHaveLength(2);
  });

  it("has the statement refused where it has no more to say than all", async () => {
    const made = services([NEW]);
    await run(made);
    made.sources.script = { ...made.sources.script, queryError: another };
    changing(made, () => {
      made.sources.script = { catalog: { version: "memory 1.0" } };
    });
    await expect(run(made)).rejects.toMatchObject({ reason: "UNSUPPORTED_ON_SOURCE" });
  });
});
