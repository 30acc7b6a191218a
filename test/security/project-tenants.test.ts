/**
 * Two callers of one project ask at random, over all routes: nothing that a rule keeps from one of them is in an answer, an error,
 * a header or a suggestion. `canary` is part of every name, value and text that may reach nobody.
 */
import { describe, expect, it } from "vitest";
import { projectApp } from "../projects/project-app.ts";
import { SHOP } from "../projects/shop.ts";

const ROUNDS = 10_000;
const SEED = Number(process.env["SECURITY_SEED"] ?? 1);

const KEYS = {
  alice: { projects: ["shop", "broken"], properties: { tenant: "alpha-of-alice", level: 1 } },
  bob: { projects: ["shop"], properties: { tenant: "beta-of-bob", level: 2 } },
} as const;

const WITH_CUBE_OVER_VIEW = {
  ...SHOP,
  cubes: [
    ...SHOP.cubes,
    {
      name: "listed",
      baseObject: "all_orders",
      measures: [
        { name: "revenue", expression: "count(id)", type: "BIGINT" },
        { name: "sum_canary", expression: "sum(restricted_canary)", type: "BIGINT" },
      ],
      dimensions: [
        { name: "state", expression: "status", type: "VARCHAR" },
        { name: "by_canary", expression: "restricted_canary", type: "INTEGER" },
      ],
    },
  ],
};

const NAMES = [
  ...[
    "id",
    "status",
    "note",
    "total",
    "customer",
    "name",
    "state",
    "revenue",
    "orders",
    "customers",
    "all_orders",
    "sales",
  ],
  ...[
    "hidden_canary",
    "restricted_canary",
    "twice_canary",
    "measure_canary",
    "dimension_canary",
    "hidden_canar",
    "tenant",
    "level",
  ],
  ...["totl", "orders.restricted_canary", "customer.name", "customer.id", "x", "shop", "public.orders", "rule_canary"],
  ...["listed", "sum_canary", "by_canary"],
];

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("two tenants", () => {
  it(`seed ${SEED}: nothing of the other, and nothing hidden`, { timeout: 300_000 }, async () => {
    const random = generator(SEED);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const app = projectApp(KEYS, { api: { audited: true } });
    app.store.push("shop", WITH_CUBE_OVER_VIEW, {
      values: "text",
      show: { sql: false, lineage: true },
      questions: { q: { sql: "SELECT restricted_canary FROM orders" }, ok: { sql: "SELECT id FROM orders" } },
    });
    app.store.push("other", { ...SHOP, description: "canary of another project" });
    app.store.push("broken", "{ canary");
    const expression = (): string =>
      pick([
        () => pick(NAMES),
        () => `${pick(NAMES)} + 1`,
        () => `upper(${pick(NAMES)})`,
        () => `count(${pick(NAMES)})`,
        () => `o.${pick(NAMES)}`,
        () => `nosuch(${pick(NAMES)})`,
        () => `CAST(${pick(NAMES)} AS integer)`,
        () => `"${pick(NAMES)}"`,
        () => "*",
      ])();
    const statement = (): string => {
      const from = pick([
        "orders",
        "orders o",
        "customers",
        "all_orders",
        "sales",
        "orders o JOIN customers c ON o.id = c.id",
        pick(NAMES),
      ]);
      const where = random() < 0.5 ? ` WHERE ${expression()} = ${pick(["1", "'a'", "$1", expression()])}` : "";
      const order = random() < 0.3 ? ` ORDER BY ${pick([expression(), "1", "9"])}` : "";
      return `SELECT ${expression()}${random() < 0.3 ? `, ${expression()}` : ""} FROM ${from}${where}${order}`;
    };
    const asked = (): readonly [path: string, body: unknown, headers: Record<string, string>] => {
      const sql = statement();
      const parameters = random() < 0.3 ? [pick([1, "a", null])] : undefined;
      const headers: Record<string, string> = random() < 0.3 ? { "x-strict": "true" } : {};
      if (random() < 0.05) headers["x-wren-variable-tenant"] = "'beta-of-bob'";
      const body = random() < 0.05 ? { sql, sessionProperties: { tenant: "'x'" } } : { sql, parameters };
      const cube = {
        cube: pick(["sales", "listed", ...NAMES]),
        measures: [pick(["revenue", ...NAMES])],
        dimensions: random() < 0.5 ? [pick(NAMES)] : [],
        filters: random() < 0.5 ? [{ dimension: pick(NAMES), operator: "eq", value: "a" }] : [],
        orderBy: random() < 0.3 ? [{ member: pick(NAMES), direction: "asc" }] : [],
      };
      const name = random() < 0.9 ? "shop" : pick(["other", "broken", "unknown"]);
      const [path, sent] = pick<readonly [string, unknown]>([
        ["query", body],
        ["query?dryRun=true", body],
        ["explain", body],
        ["dry-plan", body],
        ["cube", { cube, parameters }],
        ["values", { column: `${pick(NAMES)}.${pick(NAMES)}`, term: pick(["canary", "a", ""]) }],
        ["search", { question: pick([...NAMES, "canary"]), within: random() < 0.3 ? pick(NAMES) : undefined }],
        ["validate/column_is_valid", { parameters: { modelName: "orders", columnName: pick(NAMES) } }],
        ["questions/q.csv", undefined],
        ["questions/ok.json", undefined],
        ["", undefined],
        ["query", { sql, viewAs: { tenant: "beta-of-bob" } }],
      ]);
      return [path === "" ? name : `${name}/${path}`, sent, headers];
    };
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const key = random() < 0.5 ? "alice" : "bob";
      const [path, body, headers] = asked();
      const response = await app.ask(key, path, body, headers);
      const text = `${await response.text()}\n${[...response.headers].join("\n")}`;
      if (response.status >= 400) refused++;
      // A caller's own words come back to it.
      const own = JSON.stringify(body ?? "") + path;
      const words = new Set(own.match(/\w*canary?\w*/g) ?? []);
      const seen = (text.match(/\w*canary\w*/g) ?? []).filter((word) => !words.has(word));
      expect(seen, `${path} ${own}\n${text}`).toEqual([]);
      expect(text, own).not.toContain(key === "alice" ? "beta-of-bob" : "alpha-of-alice");
      expect(text, own).not.toMatch(/_table|of another project/);
      for (const sent of app.services.sources.statements.splice(0)) {
        if (sent.sql.includes("orders_canary_table")) {
          expect(sent.sql).toContain(key === "alice" ? "'alpha-of-alice'" : "'beta-of-bob'");
        }
        expect(sent.sql).not.toContain(key === "alice" ? "beta-of-bob" : "alpha-of-alice");
      }
      app.logged.length = 0;
    }
    expect(refused).toBeGreaterThan(ROUNDS / 10);
    expect(refused).toBeLessThan(ROUNDS);
  });
});
