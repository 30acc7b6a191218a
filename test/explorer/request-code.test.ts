/** The commands and programs that the page shows ask what the page asked: they are run. */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { snippets } from "../../src/explorer/request-code.ts";

const run = promisify(execFile);
const CLIENTS = join(import.meta.dirname, "../../clients");
const asked: {
  readonly body: unknown;
  readonly authorization: string | undefined;
  readonly url: string | undefined;
}[] = [];
let server: Server;
let origin = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    asked.push({ body, authorization: request.headers.authorization, url: request.url });
    const isStream = request.headers.accept === "application/x-ndjson";
    const lines = '{"columns":["a"],"dtypes":{"a":"int32"}}\n[7]\n{"end":{"rows":1}}\n';
    response
      .setHeader("content-type", isStream ? "application/x-ndjson" : "application/json")
      .end(isStream ? lines : '{"columns":["a"],"data":[[7]]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const PROGRAMS: Readonly<Record<string, readonly [program: string, ...words: string[]]>> = {
  curl: ["bash", "-c"],
  TypeScript: [process.execPath, "--input-type=module", "-e"],
  Python: ["python3", "-c"],
  "@siskin/client": [process.execPath, "--input-type=module-typescript", "--experimental-strip-types", "-e"],
  "siskin-sql": ["python3", "-c"],
};
const HOSTILE = `SELECT 'it''s', "x\\n" -- $(date) \`id\` \${1} \u{1f426}\nFROM t; '`;

test.each(
  Object.keys(PROGRAMS).flatMap((title) => [
    [title, "SELECT 1", 10, true] as const,
    [title, HOSTILE, undefined, false] as const,
  ]),
)("%s asks %j", async (title, sql, limit, hasToken) => {
  const found = snippets({ origin, project: "shop", question: { kind: "sql", sql }, limit, hasToken }).find(
    (each) => each.title === title,
  );
  const [program, ...words] = PROGRAMS[title]!;
  const env = {
    ...process.env,
    SISKIN_TOKEN: "secret-of-the-environment",
    PYTHONPATH: join(CLIENTS, "python/src"),
    no_proxy: "127.0.0.1",
  };
  const code = found!.code.replace('"@siskin/client"', JSON.stringify(join(CLIENTS, "typescript/src/index.ts")));
  const { stdout } = await run(program, [...words, code], { env });
  expect(stdout).toContain("7");
  expect(asked.pop()).toEqual({
    body: { sql, ...(limit !== undefined && { limit }) },
    authorization: hasToken ? "Bearer secret-of-the-environment" : undefined,
    url: "/v3/projects/shop/query",
  });
});
