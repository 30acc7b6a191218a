/** While a caller misspells long names of models with very many columns, other callers of the same isolate are answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../support/service.ts";

/** A search that compares every letter of every name takes several seconds for each statement. */
const PATIENCE = 30_000;
const ATTACKS = 8;
const LONG = "customer_attribute_of_the_billing_address_at_the_time_of_the_order";

const columns = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${LONG}_${index}`, type: "INT" }));
const manifestOf = (count: number): string =>
  Buffer.from(
    JSON.stringify({
      catalog: "c",
      schema: "s",
      models: [{ name: "m", tableReference: { table: "m" }, columns: columns(count) }],
    }),
  ).toString("base64");
const WIDE = manifestOf(55_000);
const NARROW = manifestOf(3);

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => {
  // A process that searches for long hears no other signal.
  if (service?.pid !== undefined) process.kill(-service.pid, "SIGKILL");
});

async function answer(path: string, body?: object): Promise<string> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${service.url}${path}`, { ...request, signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => undefined,
  );
  if (response === undefined) return "no answer";
  const text = await response.text();
  const { metadata } = text.startsWith("{") ? (JSON.parse(text) as { metadata?: { reason?: string } }) : {};
  return metadata?.reason ?? `${response.status}`;
}

const plan = (manifestStr: string, sql: string): Promise<string> =>
  answer("/v3/connector/postgres/dry-plan", { manifestStr, sql });

test("honest callers are answered, and so is /health", { timeout: 10 * PATIENCE }, async () => {
  const honest = (): Promise<readonly string[]> =>
    Promise.all([
      plan(NARROW, `SELECT ${LONG}_1 FROM m`),
      plan(NARROW, `SELECT ${LONG.replace("tt", "t")}_1 FROM m`),
      answer("/health"),
    ]);
  const expected = ["200", "COLUMN_NOT_FOUND", "200"];
  expect(await honest()).toEqual(expected);
  // Opens the manifest first: its cost is not the attack.
  expect(await plan(WIDE, `SELECT ${LONG}_7777 FROM m`)).toBe("200");
  const names = Array.from({ length: ATTACKS }, (_, index) => `${LONG.replace("tt", "t")}_777${index}`);
  const attacks = names.map((name) => plan(WIDE, `SELECT ${name} FROM m`));
  for (let count = 0; count < 3; count++) expect(await honest()).toEqual(expected);
  // Bodies that arrive at once have a limit of their own.
  for (const outcome of await Promise.all(attacks)) expect(outcome).toMatch(/^(COLUMN_NOT_FOUND|OVERLOADED)$/);
  expect(await honest()).toEqual(expected);
});
