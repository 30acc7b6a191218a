/** Requests nobody would send on purpose: whatever comes in, the answer has a form that clients know and is never our fault. */
import { expect, it } from "vitest";
import { MOUNTS, ROUTES } from "../../src/api/routes.ts";
import { randomNumbers } from "./random.ts";
import { QUERY, testApp } from "./test-app.ts";

const ROUNDS = 2000;

it("every answer to a damaged request is one that clients know", async () => {
  const random = randomNumbers(4_711);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const oddities = [
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    "",
    "x",
    "\ud800",
    "\u0000",
    [],
    [[]],
    {},
    { a: { b: [] } },
    "__proto__",
  ];
  const names = [
    ...[
      "sql",
      "manifestStr",
      "connectionInfo",
      "connectionFilePath",
      "columnDtypes",
      "sessionProperties",
      "filterInfo",
    ],
    ...["limit", "parameters", "manifest_str", "connection_info", "__proto__", "constructor", "toString", "", "cube"],
  ];
  const paths = MOUNTS.flatMap((mount) =>
    ROUTES.filter(({ family }) => family === mount.family).map((route) => mount.prefix + route.path),
  );
  const segments = ["postgres", "s3_file", "nope", "%00", "%ff", "..", "a%2Fb", "column_is_valid", "__proto__"];
  const headers = [
    ...[
      "accept",
      "x-wren-timezone",
      "x-wren-db-statement_timeout",
      "x-strict",
      "x-wren-variable-a",
      "x-wren-variable-",
    ],
    ...["x-correlation-id", "content-encoding", "content-type", "content-length"],
  ];
  const headerValues = [
    "",
    "true",
    "1",
    "-1",
    "*/*",
    "text/csv",
    ";;q=,",
    "gzip",
    "UTC",
    "\u00e9",
    "a,b",
    "a".repeat(5000),
  ];
  const searches = [
    "",
    "?",
    "?dryRun=true",
    "?limit=1",
    "?limit=x",
    "?dryRun=%00",
    "?cacheEnable=&limit=99e9",
    "?__proto__=1",
  ];

  const app = testApp();
  const statuses = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const path = pick(paths).replaceAll(/:\w+/g, () => (random() < 0.7 ? "postgres" : pick(segments)));
    const body: Record<string, unknown> = { ...QUERY, parameters: { modelName: "m", columnName: "c" } };
    for (let changes = Math.floor(random() * 3); changes > 0; changes--) {
      Object.defineProperty(body, pick(names), { value: pick(oddities), enumerable: true, configurable: true });
    }
    let text = JSON.stringify(body);
    if (random() < 0.2) text = text.slice(0, Math.floor(random() * text.length));
    if (random() < 0.1) text = JSON.stringify(pick(oddities));
    const sent = new Headers();
    for (let changes = Math.floor(random() * 3); changes > 0; changes--) sent.set(pick(headers), pick(headerValues));
    const method = random() < 0.9 ? "POST" : pick(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]);

    const init = { method, headers: sent, ...(method !== "GET" && method !== "HEAD" && { body: text }) };
    const response = await app.fetch(path + pick(searches), init);
    statuses.add(response.status);
    const answer = await response.text();
    const context = `${method} ${path} ${text} → ${response.status} ${answer}`;
    expect([200, 204, 307, 403, 404, 405, 406, 413, 415, 422], context).toContain(response.status);
    expect(response.headers.get("x-correlation-id"), context).toMatch(/^[0-9a-f-]{36}$/);
    if (response.status >= 400 && method !== "HEAD") {
      const parsed = JSON.parse(answer) as object;
      const keys = Object.keys(parsed).sort().join();
      expect(["detail", "correlationId,errorCode,message,metadata,phase,timestamp"], context).toContain(keys);
    }
    await app.settled();
    expect(app.gate.inFlight, context).toBe(0);
    expect(app.logged, context).toHaveLength(round + 1);
  }
  for (const status of [200, 204, 404, 405, 415, 422]) expect(statuses).toContain(status);
});
