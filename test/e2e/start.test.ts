/** `npm start` as a newcomer meets it: what it prints, what it refuses, and that nothing is left of it. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  descendantsOf,
  freePort,
  isFree,
  isRunning,
  launch,
  type RunningService,
  startOf,
  startService,
} from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const START = join(ROOT, "scripts/start.mjs");

describe("npm start", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("says what runs where", () => {
    expect(service.output()).toMatch(/API +http:\/\/127\.0\.0\.1:\d+ +workerd/);
    expect(service.output()).toMatch(/Sidecar +http:\/\/127\.0\.0\.1:\d+ +Node/);
  });

  it("prints a curl whose answer is what DuckDB says about the files", async () => {
    const printed = /curl -s (\S+) -H '([^:]+): ([^']+)' -d @(\S+)/.exec(service.output())!;
    const [, url, header, value, file] = printed as unknown as [string, string, string, string, string];
    const { readFile } = await import("node:fs/promises");
    const response = await fetch(url, {
      method: "POST",
      headers: { [header]: value },
      body: await readFile(join(ROOT, file), "utf8"),
    });
    const answer = (await response.json()) as { columns: string[]; data: unknown[][] };
    expect(answer.columns).toEqual(["segment", "orders", "revenue"]);
    expect(answer.data).toEqual(await expectedRows());
  });

  it("shows a line for the request", async () => {
    const correlation = crypto.randomUUID();
    await fetch(`${service.url}/v3/connector/local_file/functions`, { headers: { "x-correlation-id": correlation } });
    await vi.waitFor(() => expect(service.output()).toContain(`"correlationId":"${correlation}"`), { timeout: 20_000 });
  });

  it("has a page that describes the operations", async () => {
    const page = await fetch(`${service.url}/docs`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>Siskin API</title>")]);
    const list = await fetch(`${service.url}/redoc`);
    expect([list.status, await list.text()]).toEqual([200, expect.stringContaining("/v3/connector/")]);
  });
});

/** The bundled question, asked of the files themselves and not through a model. */
async function expectedRows(): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const file = (name: string): string => `'${join(ROOT, "examples/tpch", name).replaceAll("'", "''")}'`;
  const reader = await connection.runAndReadAll(`
    SELECT c_mktsegment, count(*)::int, sum(o_totalprice)::varchar
    FROM ${file("orders.parquet")} JOIN ${file("customer.parquet")} ON c_custkey = o_custkey
    WHERE o_orderdate >= DATE '1997-01-01' AND o_totalprice > 200000
    GROUP BY c_mktsegment ORDER BY sum(o_totalprice) DESC`);
  const rows = reader.getRowsJson();
  connection.closeSync();
  instance.closeSync();
  expect(rows.length).toBeGreaterThan(3);
  return rows;
}

describe("settings of npm start", () => {
  it("PORT says where it listens, and the Worker's settings are taken from the environment", async () => {
    const port = await freePort();
    const service = await startService({ PORT: String(port), V2_PROFILE: "modern" });
    try {
      expect(service.url).toBe(`http://127.0.0.1:${port}`);
      const tables = await fetch(`${service.url}/v2/connector/local_file/metadata/tables`, {
        method: "POST",
        body: JSON.stringify({ connectionInfo: { url: "/tpch", format: "parquet" } }),
      });
      expect(Array.isArray(await tables.json())).toBe(true);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  it("an own FILE_ROOT has a curl of its own that works", async () => {
    const root = mkdtempSync(join(tmpdir(), "siskin-root-"));
    cpSync(join(ROOT, "examples/tpch"), join(root, "tpch"), { recursive: true });
    const service = await startService({ FILE_ROOT: root });
    try {
      const printed = /curl -s (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'/.exec(service.output())!;
      const [, url, header, value, body] = printed as unknown as [string, string, string, string, string];
      const response = await fetch(url, { method: "POST", headers: { [header]: value }, body });
      expect([response.status, await response.json()]).toEqual([200, expect.any(Array)]);
    } finally {
      expect(await service.stop()).toBe(0);
      rmSync(root, { recursive: true, maxRetries: 10 });
    }
  });

  it.each(["abc", "-1", "65536", "80.5", "0x50", ""])("PORT=%s is refused in a sentence", async (value) => {
    const launched = launch({ PORT: value });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toBe(`PORT must be a number from 0 to 65535, not "${value}".\n`);
  });

  it("a wrong setting is refused in a sentence", async () => {
    const launched = launch({ PORT: "0", V2_PROFILE: "fancy" });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toMatch(/^V2_PROFILE: .*See docs\/reference\/configuration\.md\n$/);
  });

  it.each([
    ["PROBE_INTERVAL_MS", "often"],
    ["RESTART_MAX_PAUSE_MS", "-1"],
    ["FILES_WORKER", "yes"],
  ])("%s=%s, a setting of the supervisor, is refused in a sentence", async (name, value) => {
    const launched = launch({ PORT: "0", [name]: value });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toMatch(new RegExp(`^${name}: .*See docs/reference/configuration\\.md\n$`));
  });

  it("a way of authentication that lacks its settings is refused in a sentence", async () => {
    const launched = launch({ PORT: "0", AUTH: "jwt" });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toMatch(/^AUTH=jwt needs JWT_ISSUER; .*See docs\/reference\/configuration\.md\n$/);
  });

  it("a directory that is not there is refused in a sentence", async () => {
    const launched = launch({ PORT: "0", FILE_ROOT: join(tmpdir(), "no-such-directory") });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toMatch(/^The sidecar does not start: FILE_ROOT is not a readable directory.*\n$/);
  });
});

describe("a port in use", () => {
  let server: Server;
  beforeAll(() => {
    server = createServer();
    return new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());

  it("is refused in a sentence that shows the way out", async () => {
    const { port } = server.address() as { port: number };
    const launched = launch({ PORT: String(port) });
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toBe(`Port ${port} is in use. Choose another: PORT=8790 npm start\n`);
  });
});

describe("a checkout that is not whole", () => {
  const directories: string[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, maxRetries: 10 });
  });

  function copy(options: { readonly packages: boolean }): string {
    const directory = mkdtempSync(join(tmpdir(), "siskin-checkout-"));
    directories.push(directory);
    for (const part of ["scripts", "supervisor", "examples", "src", "cli", "package.json", "wrangler.toml"]) {
      cpSync(join(ROOT, part), join(directory, part), { recursive: true });
    }
    mkdirSync(join(directory, "sidecar"));
    for (const part of ["main.ts", "package.json"]) {
      cpSync(join(ROOT, "sidecar", part), join(directory, "sidecar", part));
    }
    if (options.packages) symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
    return directory;
  }

  it.each(["examples/tpch/orders.parquet", "examples/tpch/question.json", "wrangler.toml"])(
    "%s is missing",
    async (name) => {
      const directory = copy({ packages: true });
      rmSync(join(directory, name));
      const launched = launch({ PORT: "0" }, startOf(directory));
      expect(await launched.ended).toBe(1);
      expect(launched.output()).toBe(
        `${name} is missing: the checkout is incomplete. Restore it with: git checkout ${name}\n`,
      );
    },
  );

  it("packages are not installed", async () => {
    const launched = launch({}, startOf(copy({ packages: false })));
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toBe("The package wrangler is not installed. Run this first: npm ci\n");
  });
});

it.each(["20.20.2", "22.11.0", "18.0.0"])("Node %s is told what is needed", (version) => {
  const pretend = `
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(version)} } });
    await import(${JSON.stringify(START)});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", pretend], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: `Siskin needs Node 22.12 or newer; this is ${version}.\n`,
  });
});

describe("the end", () => {
  const ways: readonly (readonly [string, (service: RunningService) => void, number | null])[] = [
    ["Ctrl-C, which goes to the whole process group", ({ pid }) => process.kill(-pid, "SIGINT"), 0],
    ["SIGINT to the first process alone", ({ pid }) => process.kill(pid, "SIGINT"), 0],
    ["SIGTERM", ({ pid }) => process.kill(pid, "SIGTERM"), 0],
    ["a kill of the first process", ({ pid }) => process.kill(pid, "SIGKILL"), null],
    ["a kill of the second process", ({ pid }) => process.kill(processOf(pid, "serve.ts"), "SIGKILL"), 1],
  ];

  it.each(ways)("%s ends everything and frees the ports", async (_name, end, code) => {
    const service = await startService();
    const family = descendantsOf(service.pid);
    expect(family.map(({ command }) => command)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("serve.ts"),
        expect.stringContaining("sidecar/main.ts"),
        expect.stringContaining("workerd"),
      ]),
    );
    end(service);
    expect(await service.ended).toBe(code);
    await vi.waitFor(
      async () => expect(await Promise.all([service.url, service.sidecarUrl].map(isFree))).toEqual([true, true]),
      { timeout: 30_000 },
    );
    await vi.waitFor(() => expect(family.filter(({ pid }) => isRunning(pid))).toEqual([]), { timeout: 30_000 });
  });

  // Without `exec` in the script a shell stands in between: it passes nothing on, and dies alone.
  it.each(["SIGINT", "SIGTERM"] as const)("%s to npm alone ends everything", async (signal) => {
    const service = await startService({}, ["npm", "start"]);
    const family = descendantsOf(service.pid);
    expect(family.length).toBeGreaterThanOrEqual(3);
    process.kill(service.pid, signal);
    await service.ended;
    await vi.waitFor(() => expect(family.filter(({ pid }) => isRunning(pid))).toEqual([]), { timeout: 30_000 });
  });
});

describe("the sidecar's death", () => {
  const question = { connectionInfo: { url: "/tpch", format: "parquet" } };
  const asks = async ({ url }: RunningService): Promise<number> => {
    const body = JSON.stringify(question);
    return (await fetch(`${url}/v3/connector/local_file/metadata/tables`, { method: "POST", body })).status;
  };
  const kill = async ({ pid }: RunningService): Promise<void> => {
    const sidecar = await vi.waitFor(() => processOf(pid, "sidecar/main.ts"), { timeout: 20_000 });
    process.kill(sidecar, "SIGKILL");
    await vi.waitFor(() => expect(isRunning(sidecar)).toBe(false), { timeout: 20_000 });
  };

  it("is told and mended, and Ctrl-C still ends everything", async () => {
    const service = await startService();
    expect(await asks(service)).toBe(200);
    await kill(service);
    await vi.waitFor(async () => expect(await asks(service)).toBe(200), { timeout: 30_000, interval: 200 });
    expect(service.output()).toContain(
      "The sidecar has ended (SIGKILL) and is started again; what it was doing has failed.\n",
    );
    const family = descendantsOf(service.pid);
    expect(await service.stop()).toBe(0);
    await vi.waitFor(() => expect(family.filter(({ pid }) => isRunning(pid))).toEqual([]), { timeout: 30_000 });
  });

  it("with settings that do not hold any more ends the service, and says why", async () => {
    const root = mkdtempSync(join(tmpdir(), "siskin-root-"));
    const service = await startService({ FILE_ROOT: root });
    rmSync(root, { recursive: true, maxRetries: 10 });
    await kill(service);
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain("The sidecar does not start: FILE_ROOT is not a readable directory (ENOENT).\n");
    expect(service.output()).toContain("The sidecar does not start any more, and the service ends with it.\n");
  });
});

function processOf(pid: number, name: string): number {
  return descendantsOf(pid).find(({ command }) => command.includes(name))!.pid;
}
