import { describe, expect, it } from "vitest";
import { type NamedConnectionsOutcome, readNamedConnections } from "../../src/connectors/named.ts";

const SECRET = "hunter2-hunter2";
const RULES = { sidecar: true, allowPrivateHosts: false };
const POSTGRES = { host: "db.example.com", port: 5432, database: "shop", user: "reader", password: SECRET };
const HYPERDRIVE = { ...POSTGRES, host: "edge.hyperdrive.local", password: `a/${SECRET}`, connectionString: "" };

const read = (connections: unknown, bindings = {}, rules = RULES): NamedConnectionsOutcome =>
  readNamedConnections(typeof connections === "string" ? connections : JSON.stringify(connections), bindings, rules);

describe("named connections", () => {
  it("are none where the setting is not given", () => {
    expect(readNamedConnections(undefined, {}, RULES)).toEqual({ ok: true, connections: new Map() });
  });

  it("are read as a request's own connection is", () => {
    const outcome = read(
      {
        shop: { dataSource: "postgres", connectionInfo: POSTGRES },
        files: { dataSource: "local_file", connectionInfo: { url: "data", format: "csv" } },
        edge: { dataSource: "postgres", hyperdrive: "SHOP_DB" },
      },
      { SHOP_DB: HYPERDRIVE },
    );
    if (!outcome.ok) throw new Error(outcome.problems.join());
    const { shop, files, edge } = Object.fromEntries(outcome.connections);
    expect(shop).toMatchObject({
      source: "postgres",
      hyperdrive: undefined,
      info: { host: "db.example.com", port: 5432 },
    });
    expect(files).toMatchObject({ source: "local_file", hyperdrive: undefined });
    expect(edge).toMatchObject({
      source: "postgres",
      hyperdrive: "SHOP_DB",
      info: { host: "edge.hyperdrive.local", database: "shop", user: "reader", tls: "disable" },
    });
  });

  const entry = (more: object) => ({ shop: { dataSource: "postgres", connectionInfo: POSTGRES, ...more } });
  const info = (more: object) => entry({ connectionInfo: { ...POSTGRES, ...more } });

  it.each<[string, unknown, RegExp, object?, typeof RULES?]>([
    ["is no JSON", `{"shop": "${SECRET}`, /^CONNECTIONS: must be a JSON object/],
    ["is a list", [POSTGRES], /^CONNECTIONS: must be a JSON object/],
    ["has a name of nothing", { "": entry({}).shop }, /^CONNECTIONS: "": a name has 1 to 200 characters/],
    ["has a name with a line end", { "a\nb": entry({}).shop }, /^CONNECTIONS: "a\\nb": a name has/],
    ["has an entry that is a text", { shop: SECRET }, /^CONNECTIONS: "shop": must be an object/],
    ["has a member of another name", entry({ pasword: SECRET }), /"shop": pasword is not a member/],
    ["has no data source", entry({ dataSource: undefined }), /"shop": dataSource is missing/],
    ["has a data source that nobody serves", entry({ dataSource: SECRET }), /"shop": dataSource is not one/],
    ["has no connection", entry({ connectionInfo: undefined }), /"shop": has one of connectionInfo and hyperdrive/],
    [
      "has two",
      entry({ hyperdrive: "SHOP_DB" }),
      /"shop": has one of connectionInfo and hyperdrive/,
      { SHOP_DB: HYPERDRIVE },
    ],
    [
      "has a connection that is a text",
      entry({ connectionInfo: SECRET }),
      /"shop": connectionInfo: has the wrong type/,
    ],
    ["lacks a field", info({ user: undefined }), /"shop": connectionInfo\.user: is missing/],
    ["has a wrong port", info({ port: SECRET }), /"shop": connectionInfo\.port: the port must be a number/],
    ["has an option that is not honoured", info({ kwargs: { service: SECRET } }), /"shop": .*service/],
    ["has a metadata service for a host", info({ host: "169.254.169.254" }), /"shop": .*metadata service/],
    [
      "needs a sidecar that is not there",
      info({ host: "db.internal" }),
      /"shop": .*SIDECAR_URL/,
      {},
      { ...RULES, sidecar: false },
    ],
    [
      "names a Hyperdrive that is not bound",
      { shop: { dataSource: "postgres", hyperdrive: "NONE" } },
      /"shop": hyperdrive does not name/,
    ],
    [
      "names a variable for one",
      { shop: { dataSource: "postgres", hyperdrive: "X" } },
      /"shop": hyperdrive does not name/,
      { X: SECRET },
    ],
    [
      "names what every object has",
      { shop: { dataSource: "postgres", hyperdrive: "constructor" } },
      /"shop": hyperdrive does not name/,
    ],
    [
      "has a Hyperdrive for files",
      { shop: { dataSource: "local_file", hyperdrive: "X" } },
      /"shop": hyperdrive serves/,
      { X: HYPERDRIVE },
    ],
  ])("that %s stop the start with a sentence, and no value in it", (_, connections, sentence, bindings, rules) => {
    const outcome = read(connections, bindings, rules);
    expect(outcome).toEqual({ ok: false, problems: [expect.stringMatching(sentence)] });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });

  it("tell everything that is wrong at once", () => {
    const outcome = read({ a: {}, b: entry({}).shop, c: 1 });
    expect(outcome.ok ? [] : outcome.problems.map((problem) => problem.slice(0, 16))).toEqual([
      'CONNECTIONS: "a"',
      'CONNECTIONS: "c"',
    ]);
  });
});
