/** Members that a manifest does not have: a misspelt access rule must never be no rule, and nothing unknown is silent. */
import { describe, expect, test } from "vitest";
import { encoded, errorOf, planningApp, type TestApp } from "../api/test-app.ts";

const RULE = { name: "own", requiredProperties: [], condition: "owner = 'me'" };
const COLUMN_RULE = {
  name: "level",
  requiredProperties: [{ name: "level", required: true }],
  operator: "EQUALS",
  threshold: "1",
};

interface Parts {
  readonly top?: object;
  readonly model?: object;
  readonly column?: object;
}

const manifestWith = ({ top = {}, model = {}, column = {} }: Parts): string =>
  encoded({
    models: [
      {
        name: "orders",
        tableReference: { schema: "public", table: "orders" },
        columns: [
          { name: "id", type: "BIGINT" },
          { name: "owner", type: "VARCHAR", ...column },
        ],
        ...model,
      },
    ],
    ...top,
  });

/** The manifest check is the true one, too. */
const app = (): TestApp => planningApp();

const ask = (manifestStr: string, headers: Record<string, string> = {}, operation = "dry-plan"): Promise<Response> =>
  app().post(
    `/v3/connector/postgres/${operation}`,
    {
      ...(operation.startsWith("validate") ? { parameters: {} } : { sql: "SELECT id FROM orders" }),
      manifestStr,
      connectionInfo: {},
    },
    headers,
  );

const MISSPELT_RULES: readonly (readonly [string, Parts])[] = [
  ["rowLevelAccessControl", { model: { rowLevelAccessControl: [RULE] } }],
  ["rowLevelAccesControls", { model: { rowLevelAccesControls: [RULE] } }],
  ["row_level_access_controls", { model: { row_level_access_controls: [RULE] } }],
  ["RowLevelAccessControls", { model: { RowLevelAccessControls: [RULE] } }],
  ["rls", { model: { rls: [RULE] } }],
  ["condition", { model: { condition: "owner = 'me'" } }],
  ["isHidden", { model: { isHidden: true } }],
  ["columnLevelAccessControls", { column: { columnLevelAccessControls: [COLUMN_RULE] } }],
  ["rowLevelAccessControl", { column: { rowLevelAccessControl: RULE } }],
  ["hidden", { column: { hidden: true } }],
  ["is_hidden", { column: { is_hidden: true } }],
  ["requird", { model: { rowLevelAccessControls: [{ ...RULE, requiredProperties: [{ name: "a", requird: true }] }] } }],
  ["requiredPropertys", { model: { rowLevelAccessControls: [{ ...RULE, requiredPropertys: [] }] } }],
  ["treshold", { column: { columnLevelAccessControl: { ...COLUMN_RULE, treshold: "2" } } }],
  ["rowLevelAccessControls", { top: { rowLevelAccessControls: [RULE] } }],
  [
    "rowLevelAccessControls",
    { top: { views: [{ name: "v", statement: "SELECT id FROM orders", rowLevelAccessControls: [RULE] }] } },
  ],
  [
    "isHidden",
    {
      top: {
        cubes: [
          {
            name: "c",
            baseObject: "orders",
            measures: [{ name: "n", expression: "count(*)", type: "BIGINT", isHidden: true }],
          },
        ],
      },
    },
  ],
];

describe("a misspelt access rule is refused", () => {
  test.each(MISSPELT_RULES)("%s in %j", async (name, parts) => {
    const manifestStr = manifestWith(parts);
    for (const headers of [{}, { "x-strict": "true" }]) {
      const response = await ask(manifestStr, headers);
      expect(response.status).toBe(422);
      const error = await errorOf(response);
      expect(error).toMatchObject({ errorCode: "INVALID_MDL", metadata: { reason: "MANIFEST_SCHEMA" } });
      expect(error.message).toContain(`"${name}"`);
    }
  });

  test.each(MISSPELT_RULES)("by manifest_is_valid: %s in %j", async (name, parts) => {
    const response = await ask(manifestWith(parts), {}, "validate/manifest_is_valid");
    expect(response.status).toBe(422);
    expect((await errorOf(response)).message).toContain(`"${name}"`);
  });

  test.each(["explain", "model-substitute", "query"])("by %s", async (operation) => {
    const response = await ask(manifestWith({ model: { rowLevelAccessControl: [RULE] } }), {}, operation);
    expect(response.status).toBe(422);
    expect((await errorOf(response)).message).toContain('Did you mean "rowLevelAccessControls"');
  });

  test("by an analysis", async () => {
    const manifestStr = manifestWith({ model: { rowLevelAccessControl: [RULE] } });
    const response = await app().post("/v3/analysis/sql", { sql: "SELECT id FROM orders", manifestStr });
    expect(response.status).toBe(422);
    expect((await errorOf(response)).message).toContain('"rowLevelAccessControl"');
  });
});

describe("another unknown member is a warning", () => {
  const UNKNOWN: readonly (readonly [string, string | undefined, Parts])[] = [
    ["primarykey", "primaryKey", { model: { primarykey: "id" } }],
    ["primary_key", "primaryKey", { model: { primary_key: "id" } }],
    ["modles", "models", { top: { modles: [] } }],
    ["expresion", "expression", { column: { expresion: "upper(owner)" } }],
    ["somethingElse", undefined, { column: { somethingElse: 1 } }],
    ["datetimex", "datetime", { column: { type: "DATETIMEX" } }],
    ["varchaar", "varchar", { column: { type: "VARCHAAR(20)" } }],
  ];

  test.each(UNKNOWN)("%s, near %s, in %j", async (name, near, parts) => {
    const manifestStr = manifestWith(parts);
    const response = await ask(manifestStr);
    expect(response.status).toBe(200);
    const warnings = JSON.parse(response.headers.get("x-warnings") ?? "[]");
    expect(warnings).toMatchObject([{ code: "UNKNOWN_MEMBER", message: expect.stringContaining(`"${name}"`) }]);
    if (near !== undefined) expect(warnings[0].hint).toContain(`Did you mean "${near}"`);
  });

  test.each(UNKNOWN)("%s is an error with x-strict", async (name, _near, parts) => {
    const response = await ask(manifestWith(parts), { "x-strict": "true" });
    expect(response.status).toBe(422);
    const error = await errorOf(response);
    expect(error.metadata).toMatchObject({ reason: "STRICT_WARNING" });
    expect(error.message).toContain(name);
  });

  test.each(UNKNOWN)("%s is refused by manifest_is_valid", async (name, _near, parts) => {
    const response = await ask(manifestWith(parts), {}, "validate/manifest_is_valid");
    expect(response.status).toBe(422);
    expect((await errorOf(response)).message).toContain(`"${name}"`);
  });

  test("and many are counted, in a header of bounded size", async () => {
    const column = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`note ${index} ${"é".repeat(90)}`, 1]),
    );
    const response = await ask(manifestWith({ column }));
    expect(response.status).toBe(200);
    const header = response.headers.get("x-warnings") ?? "";
    expect(header.length).toBeGreaterThan(0);
    expect(header.length).toBeLessThanOrEqual(4096);
    expect(JSON.parse(header).at(-1)).toMatchObject({ code: "MORE" });
  });

  test("but beyond some hundred names the manifest is refused", async () => {
    const column = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`rowLevelAccessContro${index}`, 1]));
    const response = await ask(manifestWith({ column }));
    expect(response.status).toBe(422);
    expect((await errorOf(response)).metadata).toMatchObject({ reason: "LIMIT_SIZE" });
  });
});

describe("session properties that no rule reads", () => {
  const manifestStr = manifestWith({
    model: {
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "tenant", required: false }], condition: "owner = @tenant" },
      ],
    },
  });
  const post = (sessionProperties: object, headers: Record<string, string> = {}): Promise<Response> =>
    app().post(
      "/v3/connector/postgres/dry-plan",
      { sql: "SELECT id FROM orders", manifestStr, sessionProperties },
      headers,
    );

  test("a misspelt one, without which the rule would not hold, is an error", async () => {
    const response = await post({ tenat: "'a'" });
    expect(response.status).toBe(422);
    const error = await errorOf(response);
    expect(error.metadata).toMatchObject({ reason: "SESSION_PROPERTY_INVALID", suggestions: ["tenant"] });
  });

  test("so is one of a header", async () => {
    const response = await post({}, { "x-wren-variable-tennant": "'a'" });
    expect(response.status).toBe(422);
    expect((await errorOf(response)).metadata).toMatchObject({ reason: "SESSION_PROPERTY_INVALID" });
  });

  test("another one is a warning, and an error with x-strict", async () => {
    const properties = { tenant: "'a'", colour: "'red'" };
    const response = await post(properties);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.headers.get("x-warnings") ?? "[]")).toMatchObject([
      { code: "UNKNOWN_OPTION", message: expect.stringContaining("sessionProperties.colour") },
    ]);
    expect((await post(properties, { "x-strict": "true" })).status).toBe(422);
  });
});

describe("what the format defines, and honest names of types, are silent", () => {
  const HONEST: readonly Parts[] = [
    { top: { $schema: "https://x.test/mdl.json", layoutVersion: 4, dataSource: "POSTGRES", sampleDataFolder: "/tmp" } },
    { top: { description: "d", properties: { rowLevelAccessControl: "free" }, macros: [], enumDefinitions: [] } },
    {
      model: { cached: true, refreshTime: "30m", dialect: "postgres", properties: { visible: true }, description: "d" },
    },
    { model: { primaryKey: ["id"], uniqueKeys: [["id"]] } },
    { column: { description: "d", properties: { a: 1 }, isHidden: false, columnLevelAccessControl: null } },
    { column: { rowLevelAccessControl: null } },
    { column: { type: "order_status" } },
    { column: { type: "public.mood" } },
    { column: { type: "varchar(20)[]" } },
  ];

  test.each(HONEST)("%j", async (parts) => {
    const response = await ask(manifestWith(parts), { "x-strict": "true" });
    expect(await response.text()).toContain("SELECT");
    expect([response.status, response.headers.get("x-warnings")]).toEqual([200, null]);
    expect((await ask(manifestWith(parts), {}, "validate/manifest_is_valid")).status).toBe(204);
  });
});
