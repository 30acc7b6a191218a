import { describe, expect, it } from "vitest";
import type { OperatorConnection } from "../../src/service/services.ts";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";
import type { ErrorBody } from "./test-app.ts";

const KEYS = {
  "key-of-alice": { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
  "key-of-boss": { projects: ["*"], properties: { tenant: "alpha", level: 9 }, viewAs: true, operator: true },
  "key-of-bob": { projects: ["other"], properties: { tenant: "beta", level: 9 } },
  "key-of-none": { properties: { tenant: "alpha", level: 1 } },
  "key-of-caller": { projects: ["shop"] },
} as const;

const QUERY = { sql: "SELECT id FROM orders" };

function shopApp(pointer: Record<string, unknown> = {}, options: Parameters<typeof projectApp>[1] = {}) {
  const app = projectApp(KEYS, options);
  app.store.push("shop", SHOP, pointer);
  return app;
}

const bodyOf = async (response: Response): Promise<ErrorBody> => (await response.json()) as ErrorBody;

describe("POST /v3/projects/{project}/query", () => {
  it("answers rows by the project's manifest, connection and rules", async () => {
    const app = shopApp();
    const response = await app.ask("key-of-alice", "shop/query", {
      sql: "SELECT id FROM orders WHERE status = $1",
      parameters: ["o'pen"],
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      { columns: ["a"].map(() => "id"), data: [[1]], dtypes: { id: "int32" } },
    ]);
    expect(response.headers.get("x-project-version")).toMatch(/^[0-9a-f]{64}$/);
    const [statement] = app.services.sources.statements;
    expect(statement?.sql).toContain("hidden_canary = 'alpha'");
    expect(statement?.sql).toContain("'o''pen'");
  });

  it("takes a limit, a dry run, and formats", async () => {
    const app = shopApp();
    await app.ask("key-of-alice", "shop/query", { ...QUERY, limit: 3 });
    expect(app.services.sources.statements[0]?.sql).toContain("LIMIT 3");
    expect((await app.ask("key-of-alice", "shop/query?dryRun=true", QUERY)).status).toBe(204);
    const csv = await app.ask("key-of-alice", "shop/query", QUERY, { Accept: "text/csv" });
    expect(await csv.text()).toBe("id\r\n1\r\n");
  });

  it("caps rows by the smaller of the caller's and the project's limit", async () => {
    const app = projectApp({
      a: { projects: ["shop"], properties: KEYS["key-of-alice"].properties, limits: { rows: 50 } },
    });
    for (const [rows, cap] of [
      [10, 10],
      [100, 50],
    ] as const) {
      app.store.push("shop", SHOP, { limits: { rows } });
      app.clock.now += 60_000;
      const response = await app.ask("a", "shop/query", { ...QUERY, limit: 1000 });
      expect(response.headers.get("x-warnings")).toContain(`lowered to ${cap}`);
    }
  });
});

describe("limits.bytesBilled", () => {
  it.each(["shop/query", "shop/explain", "shop/values", "shop"])(
    "is refused where nothing enforces it: %s",
    async (path) => {
      const app = shopApp({ limits: { bytesBilled: 1000 } });
      const body = path === "shop" ? undefined : { ...QUERY, column: "orders.status" };
      const response = await app.ask("key-of-alice", path, body);
      expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([503, "PROJECT_BROKEN"]);
      expect(JSON.stringify(app.logged.find(({ code }) => code === "PROJECT_BROKEN"))).toContain("BigQuery alone");
      const { projects } = (await (await app.ask("key-of-alice", "")).json()) as { projects: unknown[] };
      expect(projects).toEqual([expect.objectContaining({ name: "shop", status: "unavailable" })]);
      expect(app.services.sources.statements).toEqual([]);
    },
  );

  it("is part of the connection where a source enforces it", async () => {
    const app = shopApp({ limits: { bytesBilled: 1000 } });
    const billed: number[] = [];
    const connections = app.services.connections as Map<string, OperatorConnection>;
    const given = connections.get("warehouse");
    if (given === undefined) throw new Error("no warehouse");
    connections.set("warehouse", {
      ...given,
      billedAtMost: (bytes) => {
        billed.push(bytes);
        return given.prepared;
      },
    });
    expect([(await app.ask("key-of-alice", "shop/query", QUERY)).status, billed]).toEqual([200, [1000]]);
  });
});

describe("who may use a project", () => {
  const PATHS: readonly (readonly [path: string, body: unknown])[] = [
    ["", undefined],
    ["/query", QUERY],
    ["/dry-plan", QUERY],
    ["/explain", QUERY],
    ["/cube", { cube: { cube: "sales", measures: ["revenue"] } }],
    ["/values", { column: "orders.status" }],
    ["/search", {}],
    ["/validate/manifest_is_valid", { parameters: {} }],
    ["/questions/revenue.csv", undefined],
    ["/query", { nonsense: true }],
  ];
  it.each(PATHS)("a foreign, an unknown and an odd project are answered alike: %s", async (path, body) => {
    const app = shopApp();
    app.store.push("other", SHOP);
    const answers: string[] = [];
    for (const name of ["other", "unknown", "SHOP", "shop%2e", "..%2Fshop", "shop.json", "a".repeat(64), "shop%00"]) {
      const response = await app.ask("key-of-alice", `${name}${path}`, body);
      const { timestamp: _, correlationId: __, ...error } = await bodyOf(response);
      const headers = [...response.headers].filter(([header]) => !/correlation|process-time/.test(header));
      answers.push(JSON.stringify([response.status, error, headers]));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("PROJECT_NOT_FOUND");
    expect(answers[0]).toContain("[404,");
    // The store is not even asked.
    expect(app.store.reads).toEqual([]);
  });

  it("a project in the credentials that is not published is answered like a foreign one", async () => {
    const app = shopApp();
    const [foreign, absent] = [
      await app.ask("key-of-bob", "shop/query", QUERY),
      await app.ask("key-of-bob", "other/query", QUERY),
    ];
    const [a, b] = [await bodyOf(foreign), await bodyOf(absent)];
    expect([foreign.status, { ...a, timestamp: 0, correlationId: 0 }]).toEqual([
      absent.status,
      { ...b, timestamp: 0, correlationId: 0 },
    ]);
  });

  it("needs credentials, and rights of its own", async () => {
    const app = shopApp();
    expect((await app.fetch("/v3/projects/shop")).status).toBe(401);
    expect((await app.ask("key-of-none", "shop/query", QUERY)).status).toBe(404);
    expect(await (await app.ask("key-of-none", "")).json()).toEqual({ projects: [] });
  });

  it("gives no right to the connection itself", async () => {
    const app = shopApp();
    const direct = await app.post(
      "/v3/connector/postgres/query",
      {
        ...QUERY,
        manifestStr: Buffer.from(JSON.stringify(SHOP)).toString("base64"),
        connectionInfo: { name: "warehouse" },
      },
      { Authorization: "Bearer key-of-alice" },
    );
    expect((await bodyOf(direct)).metadata?.["reason"]).toBe("CONNECTION_NOT_FOUND");
  });

  it("says in the log that a caller may go around the project", async () => {
    const app = projectApp({
      a: { projects: ["shop"], connections: ["*"], properties: { tenant: "alpha", level: 1 } },
    });
    app.store.push("shop", SHOP);
    await app.ask("a", "shop/query", QUERY);
    await app.ask("a", "shop/query", QUERY);
    const lines = app.logged.filter(({ event }) => event === "project");
    expect(lines).toEqual([expect.objectContaining({ project: "shop", code: "PROJECT_CONNECTION_OPEN" })]);
  });

  it("without authentication answers on loopback alone, unless it is opened", async () => {
    const { testAuthenticator } = await import("./test-app.ts");
    const open = projectApp(
      {},
      {
        api: {
          authenticator: testAuthenticator(),
          projectsOpen: true,
          sessionProperties: new Map([
            ["tenant", "'a'"],
            ["level", "1"],
          ]),
        },
      },
    );
    const closed = projectApp({}, { api: { authenticator: testAuthenticator() } });
    for (const app of [open, closed]) app.store.push("shop", SHOP);
    expect((await open.post("/v3/projects/shop/query", QUERY)).status).toBe(200);
    const response = await closed.post("/v3/projects/shop/query", QUERY);
    expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([403, "PROJECTS_CLOSED"]);
    // The name of the host is the caller's word: where a network is served, it opens no other session.
    const viewed = await open.fetch("http://localhost/v3/projects/shop/query", {
      method: "POST",
      body: JSON.stringify({ ...QUERY, viewAs: { tenant: "b", level: 1 } }),
    });
    expect([viewed.status, (await bodyOf(viewed)).metadata?.["reason"]]).toEqual([403, "VIEW_AS_NOT_ALLOWED"]);
  });
});

describe("what a request to a project may not bring", () => {
  it.each<[string, Record<string, unknown>]>([
    ["manifestStr", { manifestStr: "e30=" }],
    ["manifest_str", { manifest_str: "e30=" }],
    ["connectionInfo", { connectionInfo: { host: "evil" } }],
    ["connection_info", { connection_info: { name: "warehouse" } }],
    ["connectionFilePath", { connectionFilePath: "warehouse" }],
    ["sessionProperties", { sessionProperties: { tenant: "'beta'" } }],
    ["sessionProperties in capitals", { sessionProperties: { TENANT: "'beta'" } }],
    ["an unknown session property", { sessionProperties: { zone: "'x'" } }],
    ["session_properties", { session_properties: { tenant: "'beta'" } }],
  ])("%s", async (_, more) => {
    const app = shopApp();
    for (const key of ["key-of-alice", "key-of-caller"]) {
      const response = await app.ask(key, "shop/query", { ...QUERY, ...more });
      expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([422, "PROJECT_FIXES_THIS"]);
    }
    expect(app.services.sources.statements).toEqual([]);
  });

  it("a session property in a header", async () => {
    const app = shopApp();
    const response = await app.ask("key-of-caller", "shop/query", QUERY, { "x-wren-variable-tenant": "'beta'" });
    expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([422, "PROJECT_FIXES_THIS"]);
  });

  it("callerProperties are the exceptions, and never against credentials", async () => {
    const app = shopApp({ callerProperties: ["Tenant", "level"], access: "standard" });
    await app.ask("key-of-caller", "shop/query", { ...QUERY, sessionProperties: { tenant: "'gamma'" } });
    expect(app.services.sources.statements[0]?.sql).toContain("'gamma'");
    const bound = await app.ask("key-of-alice", "shop/query", { ...QUERY, sessionProperties: { tenant: "'gamma'" } });
    expect((await bodyOf(bound)).metadata?.["reason"]).toBe("SESSION_PROPERTY_BOUND");
  });
});

describe("what is shown of a project", () => {
  it("GET describes what the caller may see", async () => {
    const app = shopApp({
      title: "Shop",
      instructions: "Ask.",
      questions: { revenue: { title: "Revenue", sql: "SELECT 1" } },
    });
    const response = await app.ask("key-of-alice", "shop");
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain("canary");
    expect(JSON.parse(text)).toMatchObject({
      name: "shop",
      title: "Shop",
      description: "Orders of a shop.",
      dataSource: "postgres",
      instructions: "Ask.",
      questions: [{ name: "revenue", title: "Revenue" }],
      models: [
        {
          name: "orders",
          primaryKey: ["id"],
          columns: [
            { name: "id" },
            { name: "status" },
            { name: "note" },
            { name: "total", properties: { unit: "EUR" } },
          ],
          paths: [{ name: "customer", model: "customers", joinType: "MANY_TO_ONE" }],
        },
        { name: "customers" },
      ],
      relationships: [
        {
          name: "orders_customers",
          models: ["orders", "customers"],
          joinType: "MANY_TO_ONE",
          on: [["id", "id"]],
        },
      ],
      views: [{ name: "all_orders", description: "All of them." }],
      cubes: [{ name: "sales", measures: [{ name: "revenue" }], dimensions: [{ name: "state" }] }],
    });
    const seenByBoss = await (await app.ask("key-of-boss", "shop")).text();
    expect(seenByBoss).toContain("restricted_canary");
    expect(seenByBoss).not.toContain("hidden_canary");
  });

  it("the names of the session properties that row rules read, and none that only a column rule reads", async () => {
    const found = (await (await shopApp().ask("key-of-alice", "shop")).json()) as Record<string, unknown>;
    expect(found["rowRuleProperties"]).toEqual(["tenant"]);
  });

  it("the SQL for the source only where the project shows it", async () => {
    const app = shopApp();
    const refused = await app.ask("key-of-alice", "shop/dry-plan", QUERY);
    expect([refused.status, (await bodyOf(refused)).metadata?.["reason"]]).toEqual([403, "SQL_NOT_SHOWN"]);
    const explained = (await (await app.ask("key-of-alice", "shop/explain", QUERY)).json()) as Record<string, unknown>;
    expect(Object.keys(explained).toSorted()).toEqual(["columns", "descriptions", "warnings"]);
    const open = shopApp({ show: { sql: true, lineage: true } });
    expect(await (await open.ask("key-of-alice", "shop/dry-plan", QUERY)).text()).toContain("hidden_canary = 'alpha'");
    const shown = (await (await open.ask("key-of-alice", "shop/explain", QUERY)).json()) as {
      readonly lineage: unknown;
      readonly origins: readonly number[];
    };
    expect(shown.lineage).toBeDefined();
    // Triples: offsets of the source's SQL, in order, and spans of the caller's.
    const offsets = shown.origins.filter((_, place) => place % 3 === 0);
    expect([shown.origins.length % 3, offsets]).toEqual([0, offsets.toSorted((a, b) => a - b)]);
    expect(offsets.length).toBeGreaterThan(1);
  });

  it("a column that a rule keeps from the caller is as unknown as any other", async () => {
    const app = shopApp();
    const errors: unknown[] = [];
    for (const name of ["restricted_canary", "hidden_canary", "twice_canary", "unknown_canary"]) {
      const response = await app.ask("key-of-alice", "shop/query", { sql: `SELECT ${name} FROM orders` });
      const { message, metadata } = await bodyOf(response);
      const { length: _, ...position } = (metadata?.["position"] ?? { length: 0 }) as { length: number };
      errors.push([response.status, message.replaceAll(name, "…"), { ...metadata, position }]);
    }
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(JSON.stringify(errors[0])).toContain("COLUMN_NOT_FOUND");
    const inView: unknown[] = [];
    for (const name of ["restricted_canary", "unknown_canary"]) {
      for (const sql of [
        `SELECT ${name} FROM all_orders`,
        `SELECT v.${name} FROM all_orders AS v`,
        `SELECT ${name} FROM all_orders CROSS JOIN customers`,
        `SELECT 1 FROM all_orders JOIN all_orders AS o USING (${name})`,
        `SELECT ${name} FROM (SELECT * FROM all_orders) AS o`,
      ]) {
        const { message, metadata } = await bodyOf(await app.ask("key-of-alice", "shop/query", { sql }));
        const { length: _, ...position } = (metadata?.["position"] ?? { length: 0 }) as { length: number };
        const text = JSON.stringify([message, { ...metadata, position }]);
        inView.push(
          `${sql.replaceAll(name, "…")} ${text.replaceAll(name, "…")}`.replace(/"column":\d+,"offset":\d+/, ""),
        );
      }
    }
    expect(new Set(inView).size).toBe(5);
    for (const sql of ["SELECT restricted_canary FROM all_orders", "SELECT measure_canary FROM sales"]) {
      const { metadata, message } = await bodyOf(await app.ask("key-of-alice", "shop/query", { sql }));
      expect([metadata?.["reason"], message]).toEqual(["COLUMN_NOT_FOUND", expect.not.stringContaining("rule")]);
    }
    const boss = await app.ask("key-of-boss", "shop/query", { sql: "SELECT restricted_canary FROM orders" });
    expect(boss.status).toBe(200);
  });

  it("a fault of the manifest is the operator's: 503, and its text in the log alone", async () => {
    const app = projectApp(KEYS);
    app.store.push("shop", {
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "orders",
          tableReference: { table: "t" },
          columns: [{ name: "id", type: "INT", isCalculated: true, expression: "canary(" }],
        },
      ],
    });
    const response = await app.ask("key-of-alice", "shop/query", QUERY);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await response.text()).not.toContain("canary");
    expect(JSON.stringify(app.logged.find(({ code }) => code === "PROJECT_BROKEN"))).toContain("column");
  });

  it.each([
    ["a row rule", "SELECT id FROM ruled", 503],
    ["a calculated column", "SELECT calculated FROM orders", 503],
    ["a view", "SELECT * FROM viewed", 503],
    ["a measure", "SELECT measured FROM sales", 503],
    ["a row rule that the source cannot compute", "SELECT id FROM unsupported", 422],
  ])("an error in the text of %s quotes nothing of it", async (_, sql, status) => {
    const rule = (condition: string) => [{ name: "r", requiredProperties: [], condition }];
    const hidden = { name: "hidden", type: "VARCHAR", isHidden: true };
    const table = { tableReference: { table: "t" } };
    const id = { name: "id", type: "INTEGER" };
    const manifest = {
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "orders",
          ...table,
          columns: [id, { name: "calculated", type: "INTEGER", isCalculated: true, expression: "canary(id)" }],
        },
        {
          name: "ruled",
          ...table,
          rowLevelAccessControls: rule("canary(hidden) = 1"),
          columns: [id, hidden],
        },
        {
          name: "unsupported",
          ...table,
          rowLevelAccessControls: rule("regexp_replace(hidden, 'canary(?=x)', '') = 'x'"),
          columns: [id, hidden],
        },
      ],
      views: [{ name: "viewed", statement: "SELECT canary(id) AS x FROM orders" }],
      cubes: [
        {
          name: "sales",
          baseObject: "orders",
          measures: [{ name: "measured", expression: "canary(id)", type: "INT" }],
        },
      ],
    };
    const app = projectApp(KEYS);
    app.store.push("shop", manifest, { connection: "mysql" });
    const connections = app.services.connections as Map<string, OperatorConnection>;
    connections.set("mysql", {
      source: "mysql",
      hidden: {},
      prepared: app.services.sources.prepare("mysql", { host: "warehouse" }),
    });
    const response = await app.ask("key-of-alice", "shop/query", { sql });
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.not.stringMatching(/canary|\(\?=/)]);
    if (status === 503) expect(text).toContain("PROJECT_BROKEN");
  });

  it("a session without a value that a rule needs learns no name", async () => {
    const app = shopApp();
    const response = await app.ask("key-of-caller", "shop/query", QUERY);
    const text = await response.text();
    expect([response.status, text]).toEqual([422, expect.stringContaining("SESSION_PROPERTY_REQUIRED")]);
    expect(text).not.toMatch(/tenant|canary/);
  });
});

describe("POST /v3/projects/{project}/values", () => {
  const script = {
    columns: [{ name: "value", type: { kind: "string" } }],
    batches: [[["a"], ["b"], ["c"]]],
  } as const;
  it("lists values of declared columns through the rules", async () => {
    const app = shopApp({}, { script });
    const response = await app.ask("key-of-alice", "shop/values", { column: "orders.status", term: "O'", limit: 2 });
    expect(await response.json()).toEqual({ values: ["a", "b"], truncated: true });
    const sql = app.services.sources.statements[0]?.sql ?? "";
    expect(sql).toContain("hidden_canary = 'alpha'");
    expect(sql).toContain("'O'''");
    expect(sql).toContain("LIMIT 3");
  });
  it.each([
    ["not declared", "orders.note"],
    ["hidden", "orders.hidden_canary"],
    ["restricted", "orders.restricted_canary"],
    ["unknown", "orders.unknown"],
    ["of an unknown model", "x.y"],
    ["without a model", "status"],
    ["an injection", 'orders.status" FROM x --'],
  ])("refuses a column that is %s, all alike", async (_, column) => {
    const app = shopApp({}, { script });
    const response = await app.ask("key-of-alice", "shop/values", { column });
    const { metadata } = await bodyOf(response);
    expect([response.status, metadata]).toEqual([403, { reason: "VALUES_NOT_LISTED", hint: expect.any(String) }]);
    expect(app.services.sources.statements).toEqual([]);
  });
  it.each([
    ["none", "orders.status", 403],
    ["text", "orders.note", 200],
    ["text", "orders.total", 403],
    ["declared", "customers.name", 200],
  ])("values: %s, %s", async (values, column, status) => {
    const app = shopApp({ values }, { script });
    expect((await app.ask("key-of-alice", "shop/values", { column })).status).toBe(status);
  });
});

describe("POST /v3/projects/{project}/search", () => {
  const found = async (body: unknown, key = "key-of-alice"): Promise<string[]> => {
    const app = shopApp({ examples: [{ question: "Revenue by state?", sql: "SELECT state, revenue FROM sales" }] });
    const { matches } = (await (await app.ask(key, "shop/search", body)).json()) as { matches: { name: string }[] };
    return matches.map(({ name }) => name);
  };
  it.each<[string, object, string[]]>([
    ["nothing", {}, ["orders", "customers", "all_orders", "sales"]],
    ["a synonym", { question: "phase" }, ["status"]],
    ["a description", { question: "amount EUR" }, ["total"]],
    ["a kind", { question: "revenue", kinds: ["measure"] }, ["revenue"]],
    ["within a model", { within: "customers" }, ["customers", "id", "name"]],
    ["an example", { question: "revenue by state", kinds: ["example"] }, ["Revenue by state?"]],
    ["a hidden word", { question: "canary" }, []],
  ])("by %s", async (_, body, expected) => {
    expect(await found(body)).toEqual(expected);
  });
  it.each([
    [{ question: "x".repeat(501) }, "String should have at most 500 characters"],
    [{ limit: 51 }, "Input should be less than or equal to 50"],
  ])("names the bound that a member exceeds", async (body, message) => {
    const response = await shopApp().ask("key-of-alice", "shop/search", body);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(message)]);
  });
  it("sees what the caller sees", async () => {
    expect(await found({ question: "canary" }, "key-of-boss")).toContain("restricted_canary");
  });
});

describe("GET /v3/projects/{project}/questions", () => {
  const questions = { revenue: { sql: "SELECT id FROM orders WHERE status = $1", parameters: ["open"], limit: 7 } };
  it.each([
    ["csv", "text/csv"],
    ["json", "application/json"],
    ["arrow", "application/vnd.apache.arrow.stream"],
  ])("answers as %s", async (ending, type) => {
    const app = shopApp({ questions });
    const response = await app.ask("key-of-alice", `shop/questions/revenue.${ending}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringContaining(type)]);
    const [statement] = app.services.sources.statements;
    expect(statement?.sql).toMatch(
      /hidden_canary = 'alpha'[\s\S]*'open'[\s\S]*LIMIT 7|'open'[\s\S]*hidden_canary = 'alpha'[\s\S]*LIMIT 7/,
    );
  });
  it.each(["revenue", "revenue.xml", "unknown.csv", "..%2frevenue.csv", "__proto__.csv"])(
    "refuses %s",
    async (path) => {
      const response = await shopApp({ questions }).ask("key-of-alice", `shop/questions/${path}`);
      expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([404, "QUESTION_NOT_FOUND"]);
    },
  );
});

describe("a stored question without a value that a rule needs", () => {
  const questions = { all: { sql: "SELECT id FROM orders" }, kept: { sql: "SELECT restricted_canary FROM orders" } };
  it.each([
    [[], "The operator of the service adds it to your key or token."],
    [["Tenant"], "Send the header x-wren-variable-tenant."],
  ])("names the property that is missing: callerProperties %j", async (callerProperties, hint) => {
    const app = shopApp({ questions, callerProperties });
    for (const question of ["all.csv", "all.json"]) {
      const response = await app.ask("key-of-caller", `shop/questions/${question}`);
      const { message, metadata } = await bodyOf(response);
      expect([response.status, message, metadata]).toEqual([
        422,
        "The question needs the session property tenant: your session lacks it.",
        { reason: "SESSION_PROPERTY_REQUIRED", hint },
      ]);
    }
  });
  it("says nothing of a column that a rule keeps from the caller", async () => {
    const app = shopApp({ questions });
    for (const key of ["key-of-alice", "key-of-caller"]) {
      const response = await app.ask(key, "shop/questions/kept.csv");
      expect([response.status, await response.text()]).toEqual([404, expect.not.stringMatching(/canary|level/)]);
    }
  });
  it("names a property whose value is no literal", async () => {
    const app = shopApp({ questions, callerProperties: ["tenant"] });
    const response = await app.ask("key-of-caller", "shop/questions/all.csv", undefined, {
      "x-wren-variable-tenant": "not a literal",
    });
    const { message, metadata } = await bodyOf(response);
    expect([response.status, metadata?.["reason"], message]).toEqual([
      422,
      "SESSION_PROPERTY_INVALID",
      expect.stringMatching(/session property|The session/),
    ]);
    expect(message).not.toContain("canary");
  });
});

describe("validate", () => {
  it("is the operator's", async () => {
    const app = shopApp();
    const refused = await app.ask("key-of-alice", "shop/validate/manifest_is_valid", { parameters: {} });
    expect([refused.status, (await bodyOf(refused)).metadata?.["reason"]]).toEqual([403, "OPERATOR_REQUIRED"]);
    expect((await app.ask("key-of-boss", "shop/validate/manifest_is_valid", { parameters: {} })).status).toBe(204);
  });
});

describe("viewAs", () => {
  it("answers for another session, and is audited", async () => {
    const app = shopApp({}, { api: { authenticator: undefined as never, audited: true } });
    const audited = projectApp(KEYS, { api: { audited: true } });
    audited.store.push("shop", SHOP);
    const response = await audited.ask("key-of-boss", "shop/query", { ...QUERY, viewAs: { tenant: "beta", level: 1 } });
    expect(response.status).toBe(200);
    await response.text();
    await audited.settled();
    expect(audited.services.sources.statements[0]?.sql).toContain("'beta'");
    expect(audited.logged.find(({ event }) => event === "audit")).toMatchObject({
      project: "shop",
      projectVersion: expect.stringMatching(/^[0-9a-f]{64}$/),
      viewAs: ["tenant", "level"],
    });
    expect(JSON.stringify(audited.logged)).not.toContain("beta");
    expect(app.store.reads).toEqual([]);
  });
  it("hides what the other session would not see", async () => {
    const app = shopApp();
    const response = await app.ask("key-of-boss", "shop/query", {
      sql: "SELECT restricted_canary FROM orders",
      viewAs: { tenant: "beta", level: 1 },
    });
    expect((await bodyOf(response)).metadata?.["reason"]).toBe("COLUMN_NOT_FOUND");
  });
  it.each<[string, unknown, number]>([
    ["a list of texts", { tenant: ["a", "b"], level: 1 }, 200],
    ["an object", { tenant: { a: 1 } }, 422],
    ["a text", "beta", 422],
    ["a name twice", { tenant: "a", TENANT: "b" }, 422],
    ["no number that SQL has", { tenant: 1e300 }, 422],
    ["too many", Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1])), 422],
  ])("takes %s", async (_, viewAs, status) => {
    const app = shopApp();
    const response = await app.ask("key-of-boss", "shop/query", { sql: "SELECT name FROM customers", viewAs });
    expect(response.status).toBe(status);
  });
  it("needs the right", async () => {
    const response = await shopApp().ask("key-of-alice", "shop/query", { ...QUERY, viewAs: { tenant: "beta" } });
    expect([response.status, (await bodyOf(response)).metadata?.["reason"]]).toEqual([403, "VIEW_AS_NOT_ALLOWED"]);
  });
});
