/** An agent without a model repairs sixty statements that were made wrong, in at most four calls each. `AGENT_SEED` is the seed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { Random } from "../support/random-query.ts";
import { MODELS } from "./agent/models.ts";
import { MUTATORS } from "./agent/mutators.ts";
import { answered, type ToolAnswer } from "./agent/repair.ts";
import { messageOf } from "./mcp-app.ts";
import { type McpService, startMcpService } from "./mcp-service.ts";

const SEED = Number(process.env["AGENT_SEED"] ?? 1);

let database: TestDatabase;
let service: McpService;
beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  for (const statement of MODELS.flatMap(({ tables }) => tables)) await client.query(statement);
  const source = { dataSource: "postgres", connectionInfo: { connectionUrl: database.url } } as const;
  service = await startMcpService(
    Object.fromEntries(
      MODELS.map(({ name, manifest }) => [name, { ...source, manifest, pointer: { values: "text" } }]),
    ),
  );
}, 120_000);
afterAll(async () => {
  await service?.close();
  await database?.stop();
});

async function call(project: string, name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
  const { headers, body } = messageOf("", "tools/call", { name, arguments: given });
  const response = await fetch(`${service.url}/mcp/${project}`, { method: "POST", headers, body });
  const { result } = (await response.json()) as { readonly result: Record<string, unknown> };
  const [content] = result["content"] as readonly { readonly text: string }[];
  return {
    text: content?.text ?? "",
    structured: result["structuredContent"] as Record<string, unknown>,
    isError: result["isError"] === true,
  };
}

it("57 of 60 questions or more are answered right in at most four calls", { timeout: 300_000 }, async () => {
  const random = new Random(SEED);
  const draw = (): number => random.below(1_000_000) / 1_000_000;
  const names = Object.keys(MUTATORS);
  const used = new Map<string, number>();
  const failures: string[] = [];
  let right = 0;
  let turn = 0;
  for (const { name, queries } of MODELS) {
    for (const sql of queries) {
      const expected = await call(name, "query", { sql, limit: 1000 });
      expect(expected.isError, expected.text).toBe(false);
      // The kinds of mistakes take turns, as far as they fit.
      const kind = names
        .map((_, index) => names[(turn + index) % names.length] ?? "")
        .find((each) => MUTATORS[each]?.(sql, () => 0.5) !== undefined);
      turn++;
      const wrong = MUTATORS[kind ?? ""]?.(sql, draw);
      expect(wrong, sql).toBeDefined();
      used.set(kind ?? "", (used.get(kind ?? "") ?? 0) + 1);
      const attempt = await answered(wrong ?? "", (tool, given) => call(name, tool, given));
      if (JSON.stringify(attempt.rows) === JSON.stringify(expected.structured["rows"])) right++;
      else failures.push(`${kind}: ${sql}\n  asked: ${wrong}\n  last:  ${attempt.sql} (${attempt.calls} calls)`);
    }
  }
  expect([...used.keys()].toSorted()).toEqual(names.toSorted());
  expect(right, failures.join("\n")).toBeGreaterThanOrEqual(57);
});
