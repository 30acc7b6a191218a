/** Random requests to a project of two tenants, over all of its routes: few enough texts that both tenants often ask the same. */

export interface TenantRequest {
  readonly method: "GET" | "POST";
  /** Below `/v3/projects/{project}`. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer depends on nothing but the rows that the tenant may read, in any order. */
  readonly isFixed: boolean;
}

const COLUMNS = ["id", "tenant", "status", "note", "total", "day"];
const OTHERS = ["secret", "hidden", "nosuch", "orders", "o.note", "customer.name", "Level.HIGH", "Level.NOSUCH"];

export function requestsFrom(random: () => number): () => TenantRequest {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = (chance: number, text: () => string): string => (random() < chance ? text() : "");
  const column = (): string => (random() < 0.85 ? pick(COLUMNS) : pick(OTHERS));
  const value = (): string => pick(["'open'", "'7'", "1", "NULL", "$1", "DATE '2026-01-02'", "-1"]);
  const expression = (): string =>
    pick([
      column,
      column,
      () => `upper(${column()})`,
      () => `CAST(${column()} AS integer)`,
      () => `1 / (id - ${pick([11000007, 22000007, 11000001])})`,
      () => `length(${column()})`,
      () => `substring(note, 1, ${pick([1, 3, 9])})`,
      () => `coalesce(${column()}, ${value()})`,
      () => `nosuch(${column()})`,
    ])();
  const aggregate = (): string =>
    pick(["count(*)", "sum(total)", "min(note)", "max(id)", "count(DISTINCT status)", "max(CAST(note AS integer))"]);
  const where = (): string =>
    pick([
      () => `${column()} = ${value()}`,
      () => `${column()} IN (${value()}, 'shut')`,
      () => `note LIKE '%${pick(["a", "7", "!"])}%'`,
      () => `id > ${pick([11000003, 22000003, 0])}`,
      () => `CAST(note AS integer) > 0`,
      () => `EXISTS (SELECT 1 FROM orders i WHERE i.id = ${pick([11000002, 22000002])})`,
      () => `tenant <> (SELECT max(tenant) FROM orders)`,
      () => "1 / (total - total) > 0",
    ])();
  const statement = (): { readonly sql: string; readonly isFixed: boolean } => {
    const from = pick([
      "orders",
      "orders o",
      "listed",
      "sales",
      "customers",
      "orders o JOIN customers c ON o.id = c.id",
    ]);
    if (from === "sales") {
      return { sql: `SELECT state, n FROM sales ${maybe(0.5, () => `WHERE state = ${value()}`)}`, isFixed: true };
    }
    const condition = maybe(0.5, () => ` WHERE ${where()}`);
    if (random() < 0.4) return { sql: `SELECT ${aggregate()} AS a FROM ${from}${condition}`, isFixed: true };
    const limited = random() < 0.2;
    const order = limited ? ` ORDER BY 1 LIMIT ${pick([1, 5])}` : maybe(0.2, () => ` ORDER BY ${column()}`);
    return { sql: `SELECT ${expression()} AS a FROM ${from}${condition}${order}`, isFixed: !limited };
  };
  const cube = (): object => ({
    cube: pick(["sales", "sales", "listing", "nosuch"]),
    measures: [pick(["n", "n", "sum", "secrets"])],
    dimensions: random() < 0.6 ? [pick(["state", "note", "hidden"])] : [],
    filters:
      random() < 0.4 ? [{ dimension: pick(["state", "note"]), operator: "contains", value: pick(["a", "o"]) }] : [],
  });
  return () => {
    const { sql, isFixed } = statement();
    const uses = sql.includes("$1");
    const parameters = uses || random() < 0.05 ? [pick(["open", "7", 1, null, true])] : undefined;
    const asked = { sql, ...(parameters && { parameters }) };
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (random() < 0.1) headers["x-strict"] = "true";
    if (random() < 0.05) headers["accept"] = pick(["text/csv", "application/x-ndjson"]);
    if (random() < 0.02) headers["x-wren-variable-tenant"] = "'other'";
    const cached = random() < 0.8 ? "?cacheEnable=true" : "";
    const post = (path: string, body: unknown, fixed = true): TenantRequest => ({
      ...{ method: "POST", path, body, headers, isFixed: fixed },
    });
    const get = (path: string): TenantRequest => ({ method: "GET", path, body: undefined, headers, isFixed: true });
    return pick<() => TenantRequest>([
      ...Array.from({ length: 8 }, () => () => post(`/query${cached}`, asked, isFixed)),
      () => post("/query?dryRun=true", asked),
      () => post("/explain", asked),
      () => post("/dry-plan", asked),
      () => post(`/cube${cached}`, { cube: cube() }),
      () => post(`/cube${cached}`, { cube: cube() }),
      () => post("/values", { column: `orders.${column()}`, term: pick([undefined, "a", "OPEN", "%"]) }),
      () => post("/search", { question: pick(["status", "secret", "note of orders", "hidden"]) }),
      () => post("/validate/manifest_is_valid", { parameters: {} }),
      () => get(`/questions/${pick(["all", "mine", "broken", "secrets", "nosuch"])}.${pick(["csv", "json"])}${cached}`),
      () => get(""),
      () => post("/query", { ...asked, viewAs: { tenant: "other" } }),
      () => post("/query", { ...asked, sessionProperties: { tenant: "'other'" } }),
      () => post("/query", { ...asked, manifestStr: "e30=" }),
    ])();
  };
}
