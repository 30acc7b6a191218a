/** `siskin test --url`: golden questions asked of a service, by the real API over HTTP, and by fakes that misbehave. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../src/version.ts";
import { type ProjectApp, projectApp } from "../../projects/project-app.ts";
import { SHOP } from "../../projects/shop.ts";
import { siskin } from "../../support/terminal.ts";

let directory: string;
let server: Server;
let base: string;
let app: ProjectApp;

const KEYS = {
  "key-of-boss": { projects: ["*"], properties: { level: 9 }, viewAs: true },
  "key-of-alice": { projects: ["shop"], properties: { tenant: "alpha", level: 1 } },
} as const;

const listening = async (handler: RequestListener): Promise<{ readonly server: Server; readonly url: string }> => {
  const made = createServer(handler);
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return { server: made, url: `http://127.0.0.1:${(made.address() as AddressInfo).port}` };
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "siskin-test-url-"));
  app = projectApp(KEYS);
  app.store.push("shop", SHOP);
  const made = await listening(async (request, response) => {
    const body = await buffer(request);
    const answer = await app.fetch(request.url ?? "/", {
      method: request.method ?? "GET",
      headers: request.headers as Record<string, string>,
      ...(request.method === "POST" && { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server = made.server;
  base = made.url;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

function project(tests: string, more: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(directory, "p-"));
  const files = {
    "siskin.yml": "name: shop\ncatalog: shop\nschema: public\ndata_source: postgres\n",
    "models/orders/metadata.yml": "name: orders\ntable_reference: {table: t}\ncolumns: [{name: id, type: INTEGER}]\n",
    "tests/t.yml": tests,
    ...more,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

const run = (path: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  siskin(["test", ...args], { directory: path, environment });
const shop = (): string => `${base}/v3/projects/shop`;

const QUESTIONS = `tests:
  - name: one tenant
    sql: SELECT id FROM orders WHERE status = $1
    parameters: [open]
    as: {tenant: alpha}
    rows: [[1]]
    equals_sql: SELECT id FROM orders
  - name: both
    sql: SELECT id FROM orders
    as: [{tenant: alpha}, {tenant: "o'beta", level: 1}]
    row_count: 1
  - name: an unknown column
    sql: SELECT nothing FROM orders
    as: {tenant: alpha}
    error: COLUMN_NOT_FOUND
  - name: without a tenant
    sql: SELECT id FROM orders
    error: SESSION_PROPERTY_REQUIRED
`;

describe("over the API", () => {
  test("sessions are asked as somebody else, with the same report", async () => {
    const before = app.services.sources.statements.length;
    const outcome = await run(project(QUESTIONS), ["--url", shop()], { SISKIN_TOKEN: "key-of-boss" });
    expect(outcome).toEqual({
      code: 0,
      err: "",
      out: `ok   one tenant as {"tenant":"alpha"}
ok   both as {"tenant":"alpha"}
ok   both as {"tenant":"o'beta","level":1}
ok   an unknown column as {"tenant":"alpha"}
ok   without a tenant
5 of 5 passed.
`,
    });
    const sent = app.services.sources.statements.slice(before).map(({ sql }) => sql);
    expect(sent[0]).toContain("hidden_canary = 'alpha'");
    expect(sent[3]).toContain("hidden_canary = 'o''beta'");
  });

  test("a failure has file, line and column, and the reports are those of seeds", async () => {
    const path = project(
      "- {name: a, sql: SELECT id FROM orders, as: {tenant: alpha}, rows: [[2]]}\n- {name: b, sql: SELECT x FROM orders, as: {tenant: alpha}, row_count: 1}\n",
    );
    const given = { SISKIN_TOKEN: "key-of-boss" };
    const outcome = await run(path, ["--url", `${shop()}/`], given);
    expect(outcome.code).toBe(1);
    expect(outcome.out).toContain("tests/t.yml:1:69: error: No row is [2].\n");
    expect(outcome.out).toContain("tests/t.yml:2:18: error: COLUMN_NOT_FOUND: ");
    const json = await run(path, ["--url", shop(), "--format", "json"], given);
    expect(JSON.parse(json.out)).toMatchObject({
      passed: 0,
      failed: 2,
      results: [{ session: { tenant: "alpha" } }, {}],
    });
  });

  test("a key of a file of mode 0600 asks, one that others can read does not", async () => {
    const path = project(QUESTIONS, { "boss.key": "key-of-boss\n" });
    const args = ["--url", shop(), "--key", "boss.key"];
    const { chmodSync } = await import("node:fs");
    chmodSync(join(path, "boss.key"), 0o644);
    expect(await run(path, args)).toMatchObject({
      code: 2,
      err: expect.stringContaining("can be read by other users"),
    });
    chmodSync(join(path, "boss.key"), 0o600);
    expect(await run(path, args)).toMatchObject({ code: 0 });
  });

  test.each<[what: string, token: string, args: readonly string[], message: string]>([
    ["a key without viewAs", "key-of-alice", [], "VIEW_AS_NOT_ALLOWED: Your credentials do not allow viewAs"],
    ["a wrong key", "key-of-nobody-77", [], "CREDENTIALS_INVALID"],
    ["no key", "", [], "CREDENTIALS_MISSING"],
    ["a key with a line break", "a\nb", [], "The key must be one line"],
    ["seeds, too", "", ["--seeds"], "leave out --seeds"],
  ])("%s is an error of the environment", async (_, token, args, message) => {
    const outcome = await run(project(QUESTIONS), ["--url", shop(), ...args], { SISKIN_TOKEN: token });
    expect(outcome).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
    if (token.length > 5) expect(outcome.err).not.toContain(token);
  });

  test("a question without a session is asked with the rights of the key", async () => {
    const path = project("- {name: a, sql: SELECT id FROM orders, row_count: 1}\n");
    expect(await run(path, ["--url", shop()], { SISKIN_TOKEN: "key-of-alice" })).toMatchObject({ code: 0 });
  });

  test("an unknown project", async () => {
    const outcome = await run(project(QUESTIONS), ["--url", `${base}/v3/projects/none`], {
      SISKIN_TOKEN: "key-of-boss",
    });
    expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining("PROJECT_NOT_FOUND") });
  });
});

test.each<[url: string, message: string]>([
  ["https://ann:secret-word@h.example.com/v3/projects/shop", "--url holds a password"],
  ["http://h.example.com/v3/projects/shop", "--url must be https"],
  ["https://h.example.com/", "--url must be the address of a project"],
  ["https://h.example.com/v3/projects/shop/query", "--url must be the address of a project"],
  ["file:///v3/projects/shop", "--url must be the address of a project"],
  ["shop", "--url must be the address of a project"],
])("the address %s is refused", async (url, message) => {
  const outcome = await run(project(QUESTIONS), ["--url", url]);
  expect(outcome).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  expect(outcome.err).not.toContain("secret-word");
});

const [MAJOR = 0, MINOR = 0] = VERSION.split(".").map(Number);
const ROWS = '{"columns":["id"],"data":[[1]],"dtypes":{"id":"int32"}}';

interface Fake {
  readonly version?: string;
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function againstFake({ version, status = 200, body = ROWS, headers = {} }: Fake) {
  const asked: (string | undefined)[] = [];
  const fake = await listening((request, response) => {
    asked.push(request.url);
    request.resume();
    if (request.url?.endsWith("/openapi.json") === true) {
      response.writeHead(version === undefined ? 404 : 200).end(JSON.stringify({ info: { version } }));
    } else response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  const path = project("- {name: a, sql: SELECT id FROM orders, rows: [[1]]}\n");
  const outcome = await run(path, ["--url", `${fake.url}/base/v3/projects/shop`], { SISKIN_TOKEN: "secret-key-99" });
  fake.server.closeAllConnections();
  fake.server.close();
  expect(outcome.err).not.toContain("secret-key-99");
  return { ...outcome, asked };
}

test.each<[what: string, fake: Fake, code: number, err: string]>([
  ["the same version", { version: VERSION }, 0, ""],
  ["another patch", { version: `${MAJOR}.${MINOR}.99` }, 0, ""],
  [
    "another minor version",
    { version: `${MAJOR}.${MINOR + 1}.0` },
    0,
    `warning: The service has version ${MAJOR}.${MINOR + 1}.0`,
  ],
  ["another major version", { version: `${MAJOR + 1}.0.0` }, 2, "their major versions differ"],
  ["no version", {}, 0, "warning: The service reports no version"],
  ["a version that is none", { version: "<script>" }, 0, "warning: The service reports no version"],
  ["a broken stream", { version: VERSION, body: ROWS.slice(0, 30) }, 2, "has no columns and data"],
  [
    "a page of a proxy",
    { version: VERSION, status: 502, body: "<html>Bad gateway</html>" },
    2,
    "answered with status 502",
  ],
  [
    "too many questions",
    { version: VERSION, status: 429, body: '{"message":"Later.","metadata":{"reason":"TOO_MANY_REQUESTS"}}' },
    2,
    "TOO_MANY_REQUESTS: Later.",
  ],
  ["a redirect", { version: VERSION, status: 307, headers: { location: "http://127.0.0.1:1/" } }, 2, "cannot be asked"],
  [
    "an error that quotes the key",
    { version: VERSION, status: 500, body: '{"message":"secret-key-99","metadata":{"reason":"INTERNAL"}}' },
    2,
    "INTERNAL",
  ],
])("a service with %s", async (_, fake, code, err) => {
  const outcome = await againstFake(fake);
  expect(outcome).toMatchObject({ code, err: expect.stringContaining(err) });
  expect(outcome.asked[0]).toBe("/base/openapi.json");
  if (code === 2 && err.includes("major")) expect(outcome.asked).toHaveLength(1);
});

test("a lowered LIMIT is a fault of the question: rows that are cut prove nothing", async () => {
  const outcome = await againstFake({ version: VERSION, headers: { "x-warnings": '[{"code":"LIMIT_APPLIED"}]' } });
  expect(outcome).toMatchObject({
    code: 1,
    out: expect.stringContaining("LIMIT_APPLIED: The service lowered the LIMIT"),
  });
});

test("no service", async () => {
  const outcome = await run(project(QUESTIONS), ["--url", "http://127.0.0.1:1/v3/projects/shop"]);
  expect(outcome).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("The service at http://127.0.0.1:1 cannot be asked"),
  });
});
