/**
 * The conformance suite of the Model Context Protocol, on our guard, our front and our handler in workerd with AUTH=jwt. A front adds
 * the token, because the suite has none. `npm run engines` installs the suite.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasConformance, judgePath } from "../../judges/judge.ts";
import { signingKey, token } from "../../support/issuer.ts";
import { type RunningWorker, startWorker } from "../../support/worker.ts";

const ISSUER = "https://issuer.test";

let directory: string;
let worker: RunningWorker;
interface Front {
  readonly url: string;
  /** Status of each answer so far. */
  readonly statuses: number[];
  bearer: string | undefined;
  close(): Promise<void>;
}
let front: Front;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "siskin-conformance-"));
  const mcpWorker = join(directory, "mcp-worker.js");
  await build({
    entryPoints: [join(import.meta.dirname, "../../mcp/worker/worker.ts")],
    outfile: mcpWorker,
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*"],
  });
  const key = await signingKey("k1");
  front = await startFront();
  const resource = `${front.url}/mcp`;
  worker = await startWorker(
    {
      AUTH: "jwt",
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: resource,
      JWT_KEYS: JSON.stringify({ keys: [key.jwk] }),
      JWT_PROJECTS: "fixtures",
      MCP_RESOURCE: resource,
      PROJECTS: "files",
      CONNECTIONS: JSON.stringify({ none: { dataSource: "postgres", connectionInfo: CONNECTION } }),
      ALLOW_PRIVATE_HOSTS: "true",
    },
    { projects: projectFiles(), mcpWorker },
  );
  front.bearer = await token(key, {
    iss: ISSUER,
    aud: resource,
    sub: "suite",
    scope: "siskin:query",
    exp: Math.floor(Date.now() / 1000) + 3600,
  });
}, 120_000);
afterAll(async () => {
  await front?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

const CONNECTION = { host: "127.0.0.1", port: "1", user: "u", password: "p", database: "d" };

function projectFiles(): Readonly<Record<string, Uint8Array>> {
  const manifest = new TextEncoder().encode(JSON.stringify({ catalog: "c", schema: "s", models: [] }));
  const sha256 = createHash("sha256").update(manifest).digest("hex");
  const pointer = { version: 1, name: "fixtures", manifest: { sha256, bytes: manifest.length }, connection: "none" };
  return {
    [`manifests/${sha256}.json`]: manifest,
    "projects/fixtures.json": new TextEncoder().encode(JSON.stringify(pointer)),
  };
}

/** Passes requests on to the API's Worker as they are, with a token when there is one. */
async function startFront(): Promise<Front> {
  const server: Server = createServer((incoming, outgoing) => {
    const { bearer } = own;
    const headers = { ...incoming.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
    const { method, url } = incoming;
    const passed = request(worker.runtimeUrl + (url ?? ""), { method, headers }, (answer) => {
      own.statuses.push(answer.statusCode ?? 500);
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own: Front = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    statuses: [],
    bearer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return own;
}

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

function suite(...words: readonly string[]): Promise<Outcome> {
  const program = judgePath("@modelcontextprotocol/conformance/dist/index.js");
  const child = spawn(process.execPath, [program, "server", "--url", `${front.url}/mcp/fixtures`, ...words]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

/** Scenarios of the summary that count, with their outcome. */
function scored(output: string): ReadonlyMap<string, boolean> {
  const [summary = "", notScored = ""] = output.slice(output.indexOf("=== SUMMARY ===")).split("Not scored for");
  const without = new Set([...notScored.matchAll(/^ +[✓✗] (\S+)/gm)].map(([, name]) => name));
  return new Map(
    [...summary.matchAll(/^([✓✗]) (\S+): /gm)].flatMap(([, mark, name = ""]) =>
      without.has(name) ? [] : [[name, mark === "✓"] as const],
    ),
  );
}

const failing = (outcomes: ReadonlyMap<string, boolean>): readonly string[] =>
  [...outcomes].flatMap(([name, passes]) => (passes ? [] : [name]));

/**
 * Scenarios of 2025-11-25 that need a session: the server asks the client on a stream that it opened before, or keeps what a client
 * subscribed to or set. Nothing is kept between requests.
 */
const WITHOUT_SESSIONS = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "resources-subscribe",
  "resources-unsubscribe",
];

describe.skipIf(!hasConformance)("the conformance suite", { timeout: 180_000 }, () => {
  it("passes 37 of 37 scenarios that 2026-07-28 requires", async () => {
    const { output } = await suite("--requirements", "2026-07-28");
    const outcomes = scored(output);
    expect(failing(outcomes), output.slice(-6000)).toEqual([]);
    expect(outcomes.size).toBe(37);
  });

  it("passes what 2025-11-25 requires, but for what needs a session", async () => {
    const { output } = await suite("--requirements", "2025-11-25");
    const outcomes = scored(output);
    expect(failing(outcomes), output.slice(-6000)).toEqual(WITHOUT_SESSIONS);
    expect(outcomes.size).toBe(30);
  });

  it("is refused without the token, whatever it asks", async () => {
    const { bearer } = front;
    front.bearer = undefined;
    front.statuses.length = 0;
    const { output } = await suite("--requirements", "2026-07-28");
    front.bearer = bearer;
    expect(new Set(front.statuses)).toEqual(new Set([401]));
    expect(front.statuses.length).toBeGreaterThan(37);
    // A refusal is what the scenario of a foreign page wants, and the other half of it fails.
    expect([...scored(output)].filter(([, passes]) => passes)).toEqual([]);
  });
});
