/** Spark Connect's calls, against a FAKE that says what it is told to (`server.ts`). */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ServerCredentials, status } from "@grpc/grpc-js";
import { int32, int64, utf8 } from "@uwdata/flechette";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openSpark } from "../../../sidecar/spark/connector.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { freePort } from "../../support/guarded-process.ts";
import { FIXTURES, TEST_CA_PATH } from "../../support/postgres-server.ts";
import { sooner } from "../../support/sooner.ts";
import { arrow } from "../../support/spark-arrow.ts";
import { startTcpServer } from "../../support/tcp.ts";
import { batch, callError, engineError, type FakeSpark, numbers, startFakeSpark } from "./server.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function open(port: number, change: object = {}, allowedHosts: readonly string[] = ["127.0.0.1"]) {
  const { info } = parseSparkConnection({ host: "127.0.0.1", port, ...change });
  const { signal } = new AbortController();
  const connector = await openSpark(info, { dial: nodeDial(allowedHosts), connectTimeoutMs: 2000 }, { signal });
  opened.push(connector);
  return connector;
}

async function fake(): Promise<{ spark: FakeSpark; connector: Connector }> {
  const spark = await startFakeSpark();
  const connector = await open(spark.port);
  opened.push(spark);
  return { spark, connector };
}

const rowsOf = async (connector: Connector, sql = "SELECT 1") => drain(await connector.query(plain(sql), patient()));
const methods = ({ asked }: FakeSpark) => asked.map(({ method }) => method);
const soon = (spark: FakeSpark, method: string, count = 1) =>
  expect.poll(() => methods(spark).filter((name) => name === method).length, { timeout: 30_000 }).toBe(count);

describe("a statement", () => {
  it("has a session of its own: settings, the statement in parentheses, and an end", async () => {
    const { spark, connector } = await fake();
    const statement = {
      ...plain("SELECT n -- comment"),
      session: [{ name: "spark.sql.ansi.enabled", value: "false" }],
    };
    expect(await drain(await connector.query(statement, patient()))).toEqual([[1n], [2n], [3n]]);
    await rowsOf(connector);
    await soon(spark, "ReleaseSession", 2);
    const { asked } = spark;
    expect(methods(spark).slice(0, 3)).toEqual(["Config", "Config", "AnalyzePlan"]);
    expect(asked[0]?.request).toMatchObject({ userContext: { userId: "siskin" }, clientType: "siskin" });
    const { set } = (asked[0]?.request["operation"] ?? {}) as { set: { pairs: { key: string; value: string }[] } };
    expect(Object.fromEntries(set.pairs.map(({ key, value }) => [key, value]))).toEqual({
      "spark.sql.session.timeZone": "UTC",
      "spark.sql.timestampType": "TIMESTAMP_LTZ",
      "spark.sql.ansi.enabled": "false",
      "spark.sql.ansi.doubleQuotedIdentifiers": "false",
      "spark.sql.ansi.enforceReservedKeywords": "false",
      "spark.sql.caseSensitive": "false",
      "spark.sql.parser.escapedStringLiterals": "false",
      "spark.sql.variable.substitute": "false",
    });
    expect(asked[2]?.request).toHaveProperty("sparkVersion");
    expect(asked[3]?.request["plan"]).toMatchObject({ root: { sql: { query: "(SELECT n -- comment\n)" } } });
    const sessions = new Set(asked.map(({ sessionId }) => sessionId));
    expect(sessions.size).toBe(2);
    expect([...sessions].every((id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))).toBe(true);
  });

  it("that is checked is analysed and not run", async () => {
    const { spark, connector } = await fake();
    await connector.dryRun(plain("SELECT 1"), patient());
    await soon(spark, "ReleaseSession");
    expect(methods(spark)).toEqual(["Config", "Config", "AnalyzePlan", "ReleaseSession"]);
    expect(spark.asked[2]?.request).toMatchObject({ schema: { plan: { root: { sql: { query: "(SELECT 1\n)" } } } } });
  });

  it("does not run under settings that the server does not keep", async () => {
    const { spark, connector } = await fake();
    spark.answers.set("Config", { pairs: [{ key: "spark.sql.session.timeZone", value: "Europe/Berlin" }] });
    const failure = await failureOf(rowsOf(connector));
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_ERROR",
      "The server does not keep the session setting spark.sql.session.timeZone=UTC.",
    ]);
    expect(methods(spark)).not.toContain("ExecutePlan");
  });

  it("is not read further ahead than it is pulled", async () => {
    const { spark, connector } = await fake();
    // More than a window of HTTP/2.
    const text = "x".repeat(200_000);
    const total = 60;
    let sent = 0;
    let isHeldBack = (): void => {};
    const heldBack = new Promise<void>((resolve) => {
      isHeldBack = resolve;
    });
    spark.execute = async (call) => {
      for (; sent < total; sent++) {
        if (call.write(batch(arrow({ t: [[text], utf8()] })))) continue;
        isHeldBack();
        await new Promise((resolve) => call.once("drain", resolve));
      }
      call.end();
    };
    const result = await connector.query(plain("SELECT t"), patient());
    await heldBack;
    for (let pulls = 1; pulls <= 3; pulls++) {
      expect((await result.batches.next()).done).toBe(false);
      // Time for the stream to go on, if it does: as many calls on the same connection.
      for (let call = 0; call < 10; call++) await connector.dryRun(plain("SELECT 1"), patient());
      // The fake's own stream takes sixteen before it says that it is held back.
      expect(sent).toBeLessThan(pulls + 20);
    }
    expect(await drain(result)).toHaveLength(total - 3);
  });

  it.each(["before its first answer", "between its answers"])("whose caller goes %s is released", async (when) => {
    const { spark, connector } = await fake();
    let isCancelled = false;
    spark.execute = (call) => {
      call.on("cancelled", () => {
        isCancelled = true;
      });
      if (when === "between its answers") call.write(batch(arrow({ n: [[1n], int64()] })));
    };
    const controller = new AbortController();
    const rows = connector.query(plain("SELECT 1"), patient(controller.signal)).then(drain);
    const failing = failureOf(rows);
    await soon(spark, "ExecutePlan");
    const gone = performance.now();
    controller.abort(new Error("gone"));
    expect((await sooner(failing, 900)).reason).toBe("CANCELLED");
    await soon(spark, "ReleaseSession");
    await expect.poll(() => isCancelled).toBe(true);
    // Not while it may be beginning: what it is about to start would be ended by nobody.
    if (when === "before its first answer") expect(performance.now() - gone).toBeGreaterThan(900);
    expect(new Set(spark.asked.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it("is interrupted until something was, where sessions cannot be released", async () => {
    const { spark, connector } = await fake();
    spark.answers.set("ReleaseSession", callError(status.UNIMPLEMENTED, "unknown method"));
    spark.execute = (call) => void call.write({ executionProgress: { numInflightTasks: "2" } });
    const controller = new AbortController();
    const failing = failureOf(connector.query(plain("SELECT 1"), patient(controller.signal)));
    await soon(spark, "ExecutePlan");
    controller.abort(new Error("gone"));
    await failing;
    await soon(spark, "Interrupt", 3);
    spark.answers.set("Interrupt", { interruptedIds: ["it"] });
    await connector.close();
    const interrupts = spark.asked.filter(({ method }) => method === "Interrupt");
    expect(interrupts[0]?.request).toMatchObject({ interruptType: "INTERRUPT_TYPE_ALL" });
    expect(interrupts.length).toBeLessThan(6);
  });

  it("that has ended is not interrupted", async () => {
    const { spark, connector } = await fake();
    spark.answers.set("ReleaseSession", callError(status.UNIMPLEMENTED, "unknown method"));
    await rowsOf(connector);
    await connector.close();
    expect(methods(spark)).not.toContain("Interrupt");
  });

  it.each(["Config", "AnalyzePlan", "ReleaseSession"])(
    "does not wait for a server that hangs in %s",
    async (method) => {
      const { spark, connector } = await fake();
      spark.silent.add(method);
      const options = { signal: new AbortController().signal, timeoutMs: 100 };
      const checked = connector.dryRun(plain("SELECT 1"), options);
      if (method === "ReleaseSession") await checked;
      else expect((await failureOf(checked)).reason).toBe("STATEMENT_TIMEOUT");
    },
  );
});

describe("the way to the server", () => {
  it.each<[string, readonly string[], string]>([
    ["127.0.0.1", [], "EGRESS_DENIED"],
    ["localhost", ["10.0.0.0/8"], "EGRESS_DENIED"],
    ["169.254.169.254", ["*"], "EGRESS_DENIED"],
    ["no-such-host.invalid", ["*"], "HOST_UNREACHABLE"],
  ])("%s with %j allowed is %s, and nothing is asked", async (host, allowed, reason) => {
    const { spark } = await fake();
    expect((await failureOf(open(spark.port, { host }, allowed))).reason).toBe(reason);
    expect(spark.asked).toEqual([]);
  });

  it("nobody listens", async () => {
    const failure = await failureOf(open(await freePort()));
    expect([failure.reason, failure.message]).toEqual(["HOST_UNREACHABLE", expect.stringContaining("ECONNREFUSED")]);
  });

  it("is not that of a proxy in the environment", async () => {
    const { connector } = await fake();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    for (const name of ["grpc_proxy", "https_proxy", "http_proxy"]) process.env[name] = nobody;
    onTestFinished(() => {
      for (const name of ["grpc_proxy", "https_proxy", "http_proxy"]) delete process.env[name];
    });
    expect(await rowsOf(connector)).toHaveLength(3);
  });

  it("a server that says nothing", async () => {
    const server = await startTcpServer(() => {});
    opened.push(server);
    const connector = await open(server.port);
    const options = { signal: new AbortController().signal, timeoutMs: 200 };
    expect((await failureOf(connector.query(plain("SELECT 1"), options))).reason).toBe("STATEMENT_TIMEOUT");
    expect((await failureOf(open(server.port, { kwargs: { use_ssl: true } }))).reason).toBe("HOST_UNREACHABLE");
  });

  it("a server of the web", async () => {
    const web = createHttpServer((_, response) => response.end("<html>hello</html>"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void web.close());
    const connector = await open((web.address() as AddressInfo).port);
    const failure = await failureOf(rowsOf(connector));
    expect([failure.reason, failure.hint]).toEqual([
      "HOST_UNREACHABLE",
      "Check that host and port are those of a Spark Connect server.",
    ]);
  });

  it.each([
    [status.UNAUTHENTICATED, "AUTHENTICATION"],
    [status.PERMISSION_DENIED, "AUTHENTICATION"],
    [status.UNAVAILABLE, "HOST_UNREACHABLE"],
    [status.UNIMPLEMENTED, "UPSTREAM_PROTOCOL"],
    [status.UNKNOWN, "UPSTREAM_PROTOCOL"],
    [status.CANCELLED, "UPSTREAM_PROTOCOL"],
    [status.RESOURCE_EXHAUSTED, "SOURCE_ERROR"],
  ])("a call that ends with status %i is %s", async (code, reason) => {
    const { spark, connector } = await fake();
    spark.answers.set("Config", callError(code, "no"));
    expect((await failureOf(rowsOf(connector))).reason).toBe(reason);
  });

  it("a stream that is cut behind its first answer", async () => {
    const { spark, connector } = await fake();
    spark.execute = (call) => {
      call.write(batch(arrow({ n: [[1n], int64()] })));
    };
    const result = await connector.query(plain("SELECT 1"), patient());
    expect((await result.batches.next()).done).toBe(false);
    await spark.close();
    expect((await failureOf(drain(result))).reason).toBe("UPSTREAM_PROTOCOL");
  });
});

describe("a token", () => {
  const read = (name: string): Buffer => readFileSync(join(FIXTURES, name));
  const pair = { cert_chain: read("test-only-server.crt"), private_key: read("test-only-server.key") };
  const secure = async (): Promise<FakeSpark> => {
    const spark = await startFakeSpark(ServerCredentials.createSsl(null, [pair]));
    opened.push(spark);
    return spark;
  };
  const trustTests = (): void => {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]);
    onTestFinished(() => setDefaultCACertificates(before));
  };
  const kwargs = { token: "a-secret-token" };

  it("goes with every call over TLS", async () => {
    trustTests();
    const spark = await secure();
    expect(await rowsOf(await open(spark.port, { host: "localhost", kwargs }))).toHaveLength(3);
    await soon(spark, "ReleaseSession");
    expect(new Set(spark.asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer a-secret-token"]));
  });

  it("that is wrong is told, and not which it was", async () => {
    trustTests();
    const spark = await secure();
    spark.answers.set("Config", callError(status.UNAUTHENTICATED, "Invalid token"));
    const failure = await failureOf(rowsOf(await open(spark.port, { host: "localhost", kwargs })));
    expect(failure.reason).toBe("AUTHENTICATION");
    expect(`${failure.message}${failure.hint}`).not.toContain("secret");
  });

  it.each(["localhost", "127.0.0.1"])("is not sent to a server that is not who it says: %s", async (host) => {
    if (host === "127.0.0.1") trustTests();
    const spark = await secure();
    expect((await failureOf(open(spark.port, { host, kwargs }))).reason).toBe("TLS_UNTRUSTED");
    expect(spark.asked).toEqual([]);
  });

  it("is not sent to a server without TLS", async () => {
    const { spark } = await fake();
    expect((await failureOf(open(spark.port, { kwargs }))).reason).toBe("TLS_UNTRUSTED");
    expect(spark.asked).toEqual([]);
  });
});

describe("an error of the engine", () => {
  const SEVERAL = "Multiple failures in stage materialization.";
  const boxed = (message: string) => ({ errorTypeHierarchy: ["java.lang.StackOverflowError"], message });
  const wrapper = (causeIdx: number) => ({
    errorTypeHierarchy: ["java.util.concurrent.ExecutionException", "java.lang.Exception"],
    message: "Boxed Exception",
    causeIdx,
  });
  const analysis = '["org.apache.spark.sql.AnalysisException","java.lang.Exception"]';

  it("is told whole where the server still has it, by its place in the statement", async () => {
    const { spark, connector } = await fake();
    spark.answers.set("AnalyzePlan", engineError("[A.B] short…", { classes: analysis, errorId: "7" }));
    spark.answers.set("FetchErrorDetails", {
      rootErrorIdx: 0,
      errors: [
        {
          errorTypeHierarchy: ["org.apache.spark.sql.AnalysisException"],
          message: "[A.B] all of it SQLSTATE: 42703; line 1 pos 9;\n'Project ['a]\n",
          sparkThrowable: {
            errorClass: "A.B",
            sqlState: "42703",
            queryContexts: [
              { objectType: "VIEW", startIndex: 2 },
              { objectType: "", startIndex: 9, fragment: "a" },
            ],
          },
        },
      ],
    });
    const failure = await failureOf(connector.dryRun(plain("SELECT 𝒳a"), patient()));
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL", engineCode: "A.B", position: 9 });
    expect(failure.message).toBe("[A.B] all of it SQLSTATE: 42703");
    expect(spark.asked.find(({ method }) => method === "FetchErrorDetails")?.request["errorId"]).toBe("7");
  });

  it.each<[string, string, readonly object[]]>([
    ["what is in it", "[C] full SQLSTATE: 1", [wrapper(1), wrapper(2), boxed("[C] full SQLSTATE: 1")]],
    ["the name of what has nothing but that", "java.lang.StackOverflowError", [wrapper(1), boxed("")]],
    [
      "the first of several",
      "[C] full",
      [{ ...wrapper(1), errorTypeHierarchy: ["x"], message: SEVERAL }, boxed("[C] full")],
    ],
    ["itself, being in a circle", "Boxed Exception", [wrapper(1), wrapper(0)]],
    ["itself, where the rest is missing", "Boxed Exception", [wrapper(4)]],
  ])("of another thread's wrapper tells %s", async (_, message, errors) => {
    const { spark, connector } = await fake();
    spark.answers.set("AnalyzePlan", engineError("Boxed Exception", { classes: "[]", errorId: "7" }));
    spark.answers.set("FetchErrorDetails", { rootErrorIdx: 0, errors });
    expect((await failureOf(connector.dryRun(plain("SELECT 1"), patient()))).message).toBe(message);
  });

  it.each<[string, object | Error]>([
    ["does not answer", callError(status.UNAVAILABLE, "no")],
    ["has forgotten it", { errors: [] }],
    ["has another number for it", { rootErrorIdx: 7, errors: [] }],
  ])("is told as far as the trailer goes where the server %s", async (_, answer) => {
    const { spark, connector } = await fake();
    spark.answers.set("FetchErrorDetails", answer);
    const info = { classes: analysis, errorId: "7", sqlState: "42601" };
    spark.answers.set("AnalyzePlan", engineError("[X] no (line 1, pos 3)\n\n== SQL ==\n(a\n---^^^\n", info));
    const failure = await failureOf(connector.dryRun(plain("abcdef"), patient()));
    expect(failure).toMatchObject({
      reason: "SOURCE_INVALID_SQL",
      engineCode: "42601",
      position: 2,
      message: "[X] no",
    });
  });

  it("of rights is not of the statement", async () => {
    const { spark, connector } = await fake();
    spark.answers.set("AnalyzePlan", engineError("no", { classes: analysis, sqlState: "42501" }));
    expect((await failureOf(connector.dryRun(plain("SELECT 1"), patient()))).reason).toBe("SOURCE_ERROR");
  });

  it("behind rows ends them", async () => {
    const { spark, connector } = await fake();
    spark.execute = (call) => {
      call.write(batch(arrow({ n: [[1n], int64()] })));
      call.emit("error", engineError("[DIVIDE_BY_ZERO] zero", { classes: '["java.lang.ArithmeticException"]' }));
    };
    const result = await connector.query(plain("SELECT 1"), patient());
    expect((await result.batches.next()).done).toBe(false);
    const failure = await failureOf(drain(result));
    expect(failure).toMatchObject({ reason: "SOURCE_ERROR", engineCode: "DIVIDE_BY_ZERO" });
    await soon(spark, "ReleaseSession");
  });
});

describe("an answer that is none of Spark's", () => {
  it.each<[string, readonly object[]]>([
    ["nothing", []],
    ["no rows and no columns", [{}]],
    ["no Arrow", [batch(new TextEncoder().encode("<html>".repeat(9)))]],
    ["an empty part", [batch(new Uint8Array())]],
    ["half a part", [batch(arrow({ n: [[1n, 2n], int64()] }).slice(0, -40))]],
    ["parts of other columns", [batch(arrow({ n: [[1n], int64()] })), batch(arrow({ n: [[1], int32()] }))]],
  ])("%s", async (_, messages) => {
    const { spark, connector } = await fake();
    spark.execute = (call) => {
      for (const message of messages) call.write(message);
      call.end();
    };
    expect((await failureOf(rowsOf(connector))).reason).toBe("UPSTREAM_PROTOCOL");
    await soon(spark, "ReleaseSession");
  });
});

describe("the catalogue", () => {
  it("is asked for by names in back-ticks, and does without what cannot be looked into", async () => {
    const { spark, connector } = await fake();
    const named = (...names: readonly string[]) => arrow({ name: [names, utf8()], description: [names, utf8()] });
    spark.execute = (call) => {
      const { plan } = call.request as {
        plan: { root: { catalog?: Record<string, Record<string, string>>; sql?: object } };
      };
      const { listCatalogs, listTables, listColumns, setCurrentCatalog } = plan.root.catalog ?? {};
      const column = arrow({ name: [["c"], utf8()], dataType: [["map<string,int>"], utf8()] });
      if (listColumns?.["tableName"]?.includes("gone") || setCurrentCatalog?.["catalogName"] === "away") {
        return void call.emit("error", engineError("no", { classes: '["java.lang.Exception"]' }));
      }
      const answer =
        (listCatalogs && named("odd.`cat", "away")) ??
        (plan.root.sql && arrow({ namespace: [["`d b`", "information_schema"], utf8()] })) ??
        (listTables && named("t.`1", "gone")) ??
        (listColumns && column) ??
        named();
      call.write(batch(answer));
      call.end();
    };
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
    expect(tables.map(({ name, columns }) => [name, columns.map(({ type }) => type)])).toEqual([
      ["odd.`cat.d b.t.`1", ["UNKNOWN"]],
    ]);
    const roots = spark.asked.flatMap(({ request }) =>
      request["plan"] === undefined ? [] : [JSON.stringify(request["plan"])],
    );
    expect(roots.filter((text) => text.includes("ables") || text.includes("olumns"))).toEqual([
      expect.stringContaining('{"dbName":"`odd.``cat`.`d b`"'),
      expect.stringContaining('{"tableName":"`odd.``cat`.`d b`.`gone`"'),
      expect.stringContaining('{"tableName":"`odd.``cat`.`d b`.`t.``1`"'),
    ]);
    await soon(spark, "ReleaseSession");
  });

  it.each([
    [4, ["c.s.t"]],
    [5, []],
  ])("asks again for tables of which one goes meanwhile: %i times", async (times, expected) => {
    const { spark, connector } = await fake();
    let left = times;
    spark.execute = (call) => {
      const { plan } = call.request as { plan: { root: { catalog?: Record<string, object>; sql?: object } } };
      const { listCatalogs, listTables } = plan.root.catalog ?? {};
      if (listTables && left-- > 0) {
        const gone = { classes: '["org.apache.spark.sql.AnalysisException"]', errorClass: "TABLE_OR_VIEW_NOT_FOUND" };
        return void call.emit("error", engineError("gone", gone));
      }
      const names = (listCatalogs && ["c"]) ?? (listTables && ["t"]) ?? [];
      const answer = plan.root.sql
        ? arrow({ namespace: [["s"], utf8()] })
        : arrow({ name: [names, utf8()], description: [names, utf8()], dataType: [names, utf8()] });
      call.write(batch(answer));
      call.end();
    };
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
    expect(tables.map(({ name }) => name)).toEqual(expected);
    await soon(spark, "ReleaseSession");
  });

  it("reports tables that are not managed: reading them may fail", async () => {
    const { spark, connector } = await fake();
    const kinds: readonly (readonly [name: string, kind: string | null])[] = [
      ["a", "MANAGED"],
      ["files", "EXTERNAL"],
      ["unknown", null],
      ["view", "VIEW"],
    ];
    spark.execute = (call) => {
      const { plan } = call.request as { plan: { root: { catalog?: Record<string, object>; sql?: object } } };
      const { listCatalogs, listTables } = plan.root.catalog ?? {};
      const names = (listCatalogs && ["c"]) ?? (listTables && kinds.map(([name]) => name)) ?? [];
      const columns = { name: [names, utf8()], description: [names, utf8()], dataType: [names, utf8()] } as const;
      const answer = plan.root.sql
        ? arrow({ namespace: [["s"], utf8()] })
        : arrow(listTables ? { ...columns, tableType: [kinds.map(([, kind]) => kind), utf8()] } : columns);
      call.write(batch(answer));
      call.end();
    };
    const tables = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
    expect(tables.map(({ name, readMayFail }) => [name, readMayFail])).toEqual([
      ["c.s.a", undefined],
      ["c.s.files", true],
      ["c.s.unknown", true],
      ["c.s.view", true],
    ]);
    await soon(spark, "ReleaseSession");
  });
});

it("numbers of the fake are read exactly", async () => {
  const { spark, connector } = await fake();
  spark.execute = numbers(0);
  expect(await rowsOf(connector)).toEqual([]);
});
