/**
 * Two tenants of one service, with random calls over all tools, resources, completions and errors: nothing of the other appears.
 * `AGENT_CALLS` is the number of calls of each tenant, `AGENT_SEED` the seed.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { messageOf } from "./mcp-app.ts";
import { type McpService, startMcpService } from "./mcp-service.ts";

const CALLS = Number(process.env["AGENT_CALLS"] ?? 1000);
const SEED = Number(process.env["AGENT_SEED"] ?? 1);
const TENANTS = ["alpha", "beta"] as const;
type Tenant = (typeof TENANTS)[number];

/** Values that only rows, names and texts of a tenant have. The count of its rows is one of them, so ids stay below it. */
const CANARIES: Readonly<Record<Tenant, readonly string[]>> = {
  alpha: ["zalphacanary", "771771", "4747"],
  beta: ["zbetacanary", "883883", "5353"],
};
/** Nobody may see them. */
const NOBODYS = ["hidden_canary", "secretcanary", "rule_canary", "canary_table"];
const ROWS: Readonly<Record<Tenant, number>> = { alpha: 4747, beta: 5353 };

const shared = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { schema: "public", table: "canary_table" },
      rowLevelAccessControls: [
        {
          name: "rule_canary",
          requiredProperties: [{ name: "tenant", required: true }],
          condition: "hidden_canary = @tenant",
        },
      ],
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "word", type: "VARCHAR", description: "A word.", properties: { searchable: true } },
        { name: "amount", type: "INTEGER" },
        { name: "hidden_canary", type: "VARCHAR", isHidden: true, description: "secretcanary" },
      ],
    },
  ],
};

/** A project that only one of them may use. */
const own = (tenant: Tenant) => ({
  catalog: "c",
  schema: "s",
  description: CANARIES[tenant][0],
  models: [
    {
      name: `${CANARIES[tenant][0]}_model`,
      tableReference: { schema: "public", table: "plain" },
      description: CANARIES[tenant][0],
      columns: [{ name: `${CANARIES[tenant][0]}_column`, type: "INTEGER", expression: "n" }],
    },
  ],
});

let database: TestDatabase;
let service: McpService;
beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  await client.query("CREATE TABLE canary_table (id int, word text, amount int, hidden_canary text)");
  await client.query("CREATE TABLE plain (n int)");
  for (const tenant of TENANTS) {
    const [word, amount] = CANARIES[tenant];
    await client.query(
      "INSERT INTO canary_table SELECT n % 40, $1 || (n % 5), $2, $3 FROM generate_series(1, $4) AS n",
      [word, amount, tenant, ROWS[tenant]],
    );
  }
  const source = { dataSource: "postgres", connectionInfo: { connectionUrl: database.url } } as const;
  const key = (tenant: Tenant) => ({
    digests: [createHash("sha256").update(`key-of-${tenant}`).digest("hex")],
    projects: ["shop", `${tenant}-own`],
    properties: { tenant },
  });
  service = await startMcpService(
    {
      shop: { ...source, manifest: shared, pointer: { values: "text" } },
      "alpha-own": { ...source, manifest: own("alpha") },
      "beta-own": { ...source, manifest: own("beta") },
    },
    { AUTH: "keys", API_KEYS: JSON.stringify({ alpha: key("alpha"), beta: key("beta") }) },
  );
}, 120_000);
afterAll(async () => {
  await service?.close();
  await database?.stop();
});

type Random = () => number;
/** mulberry32 */
function random(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Names as a caller may guess them, without the canaries of the other: an answer may repeat what was asked. */
const COLUMNS = [
  "id",
  "word",
  "amount",
  "word",
  "amount",
  "id",
  "word",
  "amount",
  "hidden",
  "hidden_cana",
  "amuont",
  "Word",
  "*",
  "tenant",
  "orders.word",
];
const TABLES = [
  "orders",
  "orders",
  "orders",
  "orders",
  "orders",
  "order",
  "orders o",
  "orders a JOIN orders b ON a.id = b.id",
  "canary",
  "customers",
  "plain",
];
const VALUES = ["alpha", "beta", "z", "canary", "1", "", "%", "';--", "x' OR '1'='1"];

function call(
  random: Random,
  tenant: Tenant,
): { readonly method: string; readonly params: Record<string, unknown>; readonly project: string } {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const other = tenant === "alpha" ? "beta" : "alpha";
  const project = pick(["shop", "shop", "shop", "shop", `${tenant}-own`, `${other}-own`, "none", ""]);
  const literal = () => `'${pick(VALUES).replaceAll("'", "''")}'`;
  const expression = (): string =>
    pick([
      () => pick(COLUMNS),
      () => `count(*)`,
      () => `sum(${pick(COLUMNS)})`,
      () => `max(${pick(COLUMNS)})`,
      () => `string_agg(${pick(COLUMNS)}, ',')`,
      () => `CAST(${pick(COLUMNS)} AS integer)`,
      () => `1 / (${pick(COLUMNS)} - ${pick(["771771", "1", "0"])})`,
      () => `CASE WHEN ${pick(COLUMNS)} = ${literal()} THEN 1 ELSE 0 END`,
      () => `(SELECT ${pick(["count(*)", "max(word)", "min(amount)"])} FROM ${pick(TABLES)})`,
    ])();
  const condition = () =>
    pick(["", "", ` WHERE ${pick(COLUMNS)} ${pick(["=", "<>", "<", "LIKE"])} ${literal()}`, " WHERE 1 = 1 OR 1 = 1"]);
  const sql = () =>
    `SELECT ${expression()}${random() < 0.3 ? `, ${expression()}` : ""} FROM ${pick(TABLES)}${condition()}${pick(["", " GROUP BY 1", " ORDER BY 1", " LIMIT 3", " UNION ALL SELECT 1 FROM orders"])}`;
  const uri = () =>
    `siskin://${pick([project, "shop", `${other}-own`])}/${pick(["model", "instructions", "examples", "model/orders", "cube/orders", "model/plain"])}`;
  const tool = (name: string, given: Record<string, unknown>) => ({
    method: "tools/call",
    params: { name, arguments: given },
  });
  const asked = pick([
    () => tool("query", { sql: sql(), limit: pick([1, 5, 100]) }),
    () => tool("query", { sql: sql(), parameters: [pick(VALUES)] }),
    () =>
      tool("query", {
        sql: `SELECT ${pick(["word", "amount", "count(*)", "word, amount", "*"])} FROM orders${condition()}`,
      }),
    () => tool("values", { column: "orders.word", term: pick(["z", "canary", ""]) }),
    () => tool("query", { sql: `SELECT ${pick(["sum(amount)", "count(*)", "max(word)"])} AS a FROM orders` }),
    () => tool("check", { sql: sql() }),
    () => tool("values", { column: `orders.${pick(COLUMNS)}`, term: pick(VALUES), limit: pick([1, 50, 100]) }),
    () => tool("search", { question: pick([...COLUMNS, ...TABLES, ...VALUES]), detail: "full" }),
    () => tool("describe", { names: [pick(TABLES), pick(COLUMNS)] }),
    () => tool("query_cube", { cube: pick(TABLES), measures: [pick(COLUMNS)] }),
    () => tool("functions", { term: pick(["sum", "date", "zz"]) }),
    () => tool(pick(["nothing", "validate", "Query"]), { sql: sql() }),
    () => ({ method: "resources/read", params: { uri: uri() } }),
    () => ({
      method: pick([
        "resources/list",
        "resources/templates/list",
        "tools/list",
        "prompts/list",
        "server/discover",
        "nothing",
      ]),
      params: {},
    }),
    () => ({
      method: "prompts/get",
      params: { name: pick(["answer", "other"]), arguments: { question: pick(VALUES) } },
    }),
    () => ({
      method: "completion/complete",
      params: {
        ref: { type: "ref/resource", uri: `siskin://${pick([project, `${other}-own`])}/model/{name}` },
        argument: { name: "name", value: pick(["", "z", "o"]) },
      },
    }),
  ])();
  return { ...asked, project };
}

it("nothing of the other tenant appears in any answer", async () => {
  const statuses = new Map<number, number>();
  let seen = 0;
  const run = async (tenant: Tenant, seed: number, calls: number): Promise<void> => {
    const other = tenant === "alpha" ? "beta" : "alpha";
    const drawn = random(seed);
    for (let index = 0; index < calls; index++) {
      const { method, params, project } = call(drawn, tenant);
      const { headers, body } = messageOf(`key-of-${tenant}`, method, params);
      const path = project === "" ? "/mcp" : `/mcp/${project}`;
      const response = await fetch(service.url + path, { method: "POST", headers, body });
      const whole = `${JSON.stringify([...response.headers])} ${await response.text()}`;
      // Numbers of requests and digests are random digits.
      const text = whole.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g, "");
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const asked = `${path} ${body}`;
      for (const canary of [...CANARIES[other], ...NOBODYS]) {
        // An answer may repeat text of its request.
        if (!text.includes(canary) || asked.includes(canary)) continue;
        throw new Error(
          `AGENT_SEED=${seed}, call ${index} of ${tenant}: ${canary} in the answer to ${asked}:\n${text}`,
        );
      }
      if (CANARIES[tenant].some((canary) => text.includes(canary))) seen++;
    }
  };
  const lanes = 4;
  await Promise.all(
    TENANTS.flatMap((tenant, at) =>
      Array.from({ length: lanes }, (_, lane) => run(tenant, SEED * 1000 + at * 100 + lane, Math.ceil(CALLS / lanes))),
    ),
  );
  // The calls reach rows: each tenant sees its own.
  expect(seen).toBeGreaterThan(CALLS / 10);
  expect(statuses.get(500) ?? 0).toBe(0);
  expect(statuses.get(404) ?? 0).toBeGreaterThan(CALLS / 20);
}, 1_800_000);
