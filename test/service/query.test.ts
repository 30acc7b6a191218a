import { describe, expect, it, vi } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Value } from "../../src/result/types.ts";
import { ServiceError } from "../../src/service/failure.ts";
import { dryRun, type QueryRequest, query } from "../../src/service/query.ts";
import { planOf, testContext, testServices } from "./in-memory.ts";

const REQUEST: QueryRequest = { source: "postgres", sql: "SELECT a FROM m", manifestStr: "bTE=", connectionInfo: {} };

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

async function rowsOf(answer: Awaited<ReturnType<typeof query>>): Promise<Value[][]> {
  const rows: Value[][] = [];
  for await (const batch of answer.rows.batches) for (const row of batch) rows.push([...row]);
  return rows;
}

describe("query", () => {
  it("sends the plan, names the columns as the plan does, and closes stream and connector at the end", async () => {
    const services = testServices({
      script: { columns: [{ name: "x1", type: { kind: "int32" } }], batches: [[[1]], [[2]]] },
    });
    const context = testContext();
    const answer = await query(services, context, { ...REQUEST, limit: 5 });
    expect(answer.rows.columns).toEqual([{ name: "a", type: { kind: "int32" } }]);
    expect(await rowsOf(answer)).toEqual([[1], [2]]);
    await answer.ended;
    await context.settled();
    expect(services.sources.statements[0]?.sql).toBe("/* postgres */ SELECT a FROM m LIMIT 5");
    expect(services.sources.events).toEqual([
      "prepare",
      "open",
      "query",
      "next",
      "next",
      "stream closed",
      "connector closed",
    ]);
  });

  it("passes session, zone, limits and time-out on", async () => {
    const services = testServices();
    const context = testContext({
      session: new Map([["region", "'EMEA'"]]),
      timeZone: "Europe/Paris",
      statementTimeoutMs: 7000,
    });
    await (await query(services, context, REQUEST)).rows.close();
    const [request] = services.planner.requests;
    expect(request?.session.get("region")).toBe("'EMEA'");
    expect(request?.timeZone).toBe("Europe/Paris");
    expect(request?.options).toBe(services.planOptions);
    expect(services.sources.options[0]?.timeoutMs).toBe(7000);
    expect(services.sources.opened[0]?.correlationId).toBe(context.correlationId);
  });

  it("takes the statement time-out of the deployment when the caller names none", async () => {
    const services = testServices({ limits: { statementTimeoutMs: 1234 } });
    await (await query(services, testContext(), REQUEST)).rows.close();
    expect(services.sources.options[0]?.timeoutMs).toBe(1234);
  });

  it("reports a wrong connection before wrong SQL, and dials nothing", async () => {
    const services = testServices({
      script: { prepareError: new ConnectorFailure("INVALID_CONNECTION", "connectionInfo.port: is missing") },
    });
    services.planner.answer = () => ({ ok: false, error: new PlannerError("SYNTAX", "no") });
    const error = await failureOf(query(services, testContext(), REQUEST));
    expect(error.reason).toBe("INVALID_CONNECTION");
    expect(services.sources.events).toEqual(["prepare"]);
  });

  it("gives a planner's error its place, its hint and near names, and dials nothing", async () => {
    const services = testServices();
    services.planner.answer = () => ({
      ok: false,
      error: new PlannerError("COLUMN_NOT_FOUND", "no such column", {
        span: { start: 12, end: 15 },
        hint: "look",
        suggestions: ["b"],
      }),
    });
    const error = await failureOf(query(services, testContext(), { ...REQUEST, sql: "SELECT 1,\n  abc FROM m" }));
    expect(error.metadata).toEqual({
      position: { line: 2, column: 3, offset: 13, length: 3 },
      hint: "look",
      suggestions: ["b"],
    });
    expect(services.sources.events).not.toContain("open");
  });

  it("maps an engine's error back to the caller's SQL and shows both plans", async () => {
    const services = testServices({
      script: {
        queryError: new ConnectorFailure("SOURCE_INVALID_SQL", "relation does not exist", {
          position: 20,
          hint: "check",
        }),
      },
    });
    services.planner.origin = { start: 7, end: 8 };
    const context = testContext();
    const error = await failureOf(query(services, context, REQUEST));
    await context.settled();
    expect(error.outcome).toMatchObject({ code: "GENERIC_USER_ERROR", phase: "SQL_EXECUTION", status: 422 });
    expect(error.metadata).toEqual({
      hint: "check",
      position: { line: 1, column: 8, offset: 8, length: 1 },
      plannedSql: "/* input */ SELECT a FROM m",
      dialectSql: "/* postgres */ SELECT a FROM m",
    });
    expect(services.sources.events.at(-1)).toBe("connector closed");
  });

  it("names the model's column whose own expression the source refuses", async () => {
    const services = testServices({
      script: {
        queryError: new ConnectorFailure("SOURCE_INVALID_SQL", 'type "dubble" does not exist', { position: 26 }),
      },
    });
    services.planner.answer = (request) => ({
      ok: true,
      value: planOf(request, {
        sql: "SELECT a FROM (SELECT CAST(x AS dubble) AS a FROM t) AS m",
        sourceTexts: [{ start: 22, end: 39, owner: 'column "a" of model "m"' }],
      }),
    });
    const error = await failureOf(query(services, testContext(), REQUEST));
    const hint = 'It is in column "a" of model "m", which is written in the source\'s own language.';
    expect(error.message).toBe(`type "dubble" does not exist. ${hint}`);
    expect(error.metadata.hint).toBe(hint);
  });

  it("leaves the SQL out of a refused connection", async () => {
    const services = testServices({
      script: { openError: new ConnectorFailure("AUTHENTICATION", "password authentication failed") },
    });
    const error = await failureOf(query(services, testContext(), REQUEST));
    expect(error.outcome).toMatchObject({ code: "GET_CONNECTION_ERROR", phase: null });
    expect(error.metadata).toEqual({});
    expect(services.planner.requests).toHaveLength(1);
  });

  it("turns what nobody foresaw into a neutral internal error", async () => {
    const services = testServices({ script: { queryError: new TypeError("password hunter2 leaked") } });
    const error = await failureOf(query(services, testContext(), REQUEST));
    expect(error.reason).toBe("INTERNAL");
    expect(error.message).not.toContain("hunter2");
  });

  it.each([
    ["query", query, "Query was cancelled: canceling statement due to statement timeout"],
    ["dryRun", dryRun, "Dry-Run was cancelled: canceling statement due to statement timeout"],
  ] as const)("begins the message of a statement time-out as clients expect (%s)", async (step, run, prefix) => {
    const failure = new ConnectorFailure("STATEMENT_TIMEOUT", "canceling statement due to statement timeout");
    const services = testServices({ script: { [`${step}Error`]: failure } });
    const error = await failureOf(run(services, testContext(), REQUEST));
    expect(error.outcome.status).toBe(504);
    expect(error.message.startsWith(prefix)).toBe(true);
  });

  it("refuses an answer whose width is not the plan's", async () => {
    const services = testServices();
    services.planner.answer = (request) => ({ ok: true, value: planOf(request, { columns: [] }) });
    const context = testContext();
    const error = await failureOf(query(services, context, REQUEST));
    await context.settled();
    expect(error.reason).toBe("UPSTREAM_PROTOCOL");
    expect(services.sources.events).toContain("stream closed");
    expect(services.sources.events).toContain("connector closed");
  });

  it("tells a late failure in the same terms and closes everything", async () => {
    const services = testServices({ script: { lateError: new ConnectorFailure("SOURCE_ERROR", "division by zero") } });
    const context = testContext();
    const answer = await query(services, context, REQUEST);
    const error = await failureOf(rowsOf(answer));
    await context.settled();
    expect(error.metadata.dialectSql).toContain("SELECT a");
    expect(services.sources.events.slice(-2)).toEqual(["stream closed", "connector closed"]);
  });

  it("turns a warning into an error before anything is dialled when the caller is strict", async () => {
    const services = testServices();
    services.planner.answer = (request) => ({
      ok: true,
      value: planOf(request, {
        warnings: [
          { code: "UNKNOWN_FUNCTION", message: "f is unknown", span: { start: 7, end: 8 }, hint: "Spell it." },
          { code: "FANOUT_RISK", message: "many" },
        ],
      }),
    });
    const error = await failureOf(query(services, testContext({ strict: true }), REQUEST));
    expect(error.reason).toBe("STRICT_WARNING");
    expect(error.message).toBe("UNKNOWN_FUNCTION: f is unknown (and 1 more). Spell it.");
    expect(error.metadata).toEqual({ position: { line: 1, column: 8, offset: 8, length: 1 }, hint: "Spell it." });
    expect(services.sources.events).toEqual(["prepare"]);
  });
});

describe("the operator's cap on rows", () => {
  it("lowers a larger limit and says so", async () => {
    const services = testServices({ limits: { maxRows: 10 } });
    const answer = await query(services, testContext(), { ...REQUEST, limit: 500 });
    await answer.rows.close();
    expect(services.planner.requests[0]?.limit).toBe(10);
    expect(answer.warnings.map((warning) => warning.code)).toEqual(["LIMIT_APPLIED"]);
  });

  it("leaves a smaller limit alone", async () => {
    const services = testServices({ limits: { maxRows: 10 } });
    const answer = await query(services, testContext(), { ...REQUEST, limit: 3 });
    await answer.rows.close();
    expect(services.planner.requests[0]?.limit).toBe(3);
    expect(answer.warnings).toEqual([]);
  });

  it.each([
    [2, undefined],
    [3, "ROW_LIMIT_EXCEEDED"],
  ] as const)("without a limit, %i rows under a cap of 2 end with %s", async (count, reason) => {
    const batches = Array.from({ length: count }, (_, index) => [[index]]);
    const services = testServices({ limits: { maxRows: 2 }, script: { batches } });
    const context = testContext();
    const answer = await query(services, context, REQUEST);
    expect(services.planner.requests[0]).toMatchObject({ limit: 3, mostRows: 2 });
    if (reason === undefined) expect(await rowsOf(answer)).toHaveLength(count);
    else expect((await failureOf(rowsOf(answer))).reason).toBe(reason);
    await context.settled();
    expect(services.sources.events.at(-1)).toBe("connector closed");
  });
});

describe("the end of a call", () => {
  it.each(["open", "query"] as const)("the client's departure ends a source that hangs in %s", async (hang) => {
    const services = testServices({ script: { hang } });
    const client = new AbortController();
    const context = testContext({ signal: client.signal });
    const failing = failureOf(query(services, context, REQUEST));
    await services.sources.happened(hang);
    client.abort();
    expect((await failing).reason).toBe("CANCELLED");
    await context.settled();
    expect(services.sources.events).toContain("abort");
    expect(services.sources.events).toContain("connector closed");
  });

  it("the client's departure after the first rows ends the source, though nobody is reading", async () => {
    const services = testServices({ script: { hang: "batches" } });
    const client = new AbortController();
    const context = testContext({ signal: client.signal });
    const answer = await query(services, context, REQUEST);
    expect((await answer.rows.batches.next()).value).toEqual([[1]]);
    client.abort();
    await answer.ended;
    await context.settled();
    expect(services.sources.events.slice(-3)).toEqual(["abort", "stream closed", "connector closed"]);
    expect((await failureOf(answer.rows.batches.next())).reason).toBe("CANCELLED");
  });

  it("a client that has already gone gets nothing started", async () => {
    const services = testServices();
    const error = await failureOf(query(services, testContext({ signal: AbortSignal.abort() }), REQUEST));
    expect(error.reason).toBe("CANCELLED");
    expect(services.sources.events).not.toContain("open");
  });

  it("a connection that comes up after the call was given up is closed", async () => {
    const services = testServices({ script: { hang: "open" } });
    const client = new AbortController();
    const context = testContext({ signal: client.signal });
    const failing = failureOf(query(services, context, REQUEST));
    await services.sources.happened("open");
    client.abort();
    await failing;
    await context.settled();
    expect(services.sources.events.at(-1)).toBe("connector closed");
  });

  it.each([
    ["Query", "query", query],
    ["Dry-Run", "dryRun", dryRun],
  ] as const)("the application time-out answers for a source that does not: %s", async (label, hang, run) => {
    vi.useFakeTimers();
    try {
      const services = testServices({ script: { hang }, limits: { applicationTimeoutMs: 240_000 } });
      const context = testContext();
      const failing = failureOf(run(services, context, REQUEST));
      await services.sources.happened(hang);
      await vi.advanceTimersByTimeAsync(240_000);
      const error = await failing;
      expect(error.outcome).toMatchObject({ code: "DATABASE_TIMEOUT", status: 504 });
      expect(error.message).toContain(`${label} timeout after 240 seconds`);
      await context.settled();
      expect(services.sources.events).toContain("connector closed");
      // A timer of another test's end may be among them for some milliseconds; a clock of the call would stay for minutes.
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
    } finally {
      vi.useRealTimers();
    }
  });

  it("the application time-out also ends an answer that nobody reads any more", async () => {
    vi.useFakeTimers();
    try {
      const services = testServices({ script: { hang: "batches" }, limits: { applicationTimeoutMs: 1000 } });
      const context = testContext();
      const answer = await query(services, context, REQUEST);
      await answer.rows.batches.next();
      await vi.advanceTimersByTimeAsync(1000);
      await answer.ended;
      expect((await failureOf(answer.rows.batches.next())).reason).toBe("APPLICATION_TIMEOUT");
    } finally {
      vi.useRealTimers();
    }
  });

  it("no clock is left running after an answer", async () => {
    vi.useFakeTimers();
    try {
      const services = testServices();
      await rowsOf(await query(services, testContext(), REQUEST));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("dryRun", () => {
  it("checks the planned SQL and runs nothing", async () => {
    const services = testServices();
    const context = testContext();
    await dryRun(services, context, { ...REQUEST, limit: 1 });
    await context.settled();
    expect(services.sources.events).toEqual(["prepare", "open", "dryRun", "connector closed"]);
    expect(services.sources.statements[0]?.sql).toBe("/* postgres */ SELECT a FROM m LIMIT 1");
  });

  it("puts what the source says into its own phase", async () => {
    const services = testServices({
      script: { dryRunError: new ConnectorFailure("SOURCE_INVALID_SQL", "no such column") },
    });
    const error = await failureOf(dryRun(services, testContext(), REQUEST));
    expect(error.outcome).toMatchObject({ phase: "SQL_DRY_RUN", status: 422 });
    expect(error.metadata.dialectSql).toBe("/* postgres */ SELECT a FROM m");
  });
});
