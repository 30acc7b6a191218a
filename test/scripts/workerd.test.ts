/** The configuration of plain workerd: what a Worker under it may dial, and by which way. The Worker here is a small one. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  compatibilityOf,
  filesConfiguration,
  type Network,
  type ServiceConfiguration,
  serviceConfiguration,
  workerdBinary,
} from "../../scripts/service/workerd.ts";
import { isSecureSidecar } from "../../supervisor/api-processes.ts";
import { listening } from "../../supervisor/workerd.ts";

/** Answers what comes back from the address in its query, dialled by the way named there, in the Worker named there. */
const WORKER = `
import { connect } from "cloudflare:sockets";
import { WorkerEntrypoint } from "cloudflare:workers";
export class Connectors extends WorkerEntrypoint {
  fetch(request) { return own.fetch(request, this.env); }
}
export class Mcp extends WorkerEntrypoint {
  async fetch(request) {
    const { way } = Object.fromEntries(new URL(request.url).searchParams);
    if (way === undefined) return new Response("mcp " + JSON.stringify(Object.keys(this.env)));
    return await own.fetch(request, this.env);
  }
}
export class Files extends WorkerEntrypoint {
  async fetch(request) {
    const { way, to } = Object.fromEntries(new URL(request.url).searchParams);
    if (way === undefined) return new Response("files " + JSON.stringify(Object.keys(this.env)));
    return await own.fetch(request, this.env);
  }
}
const own = {
  async fetch(request, environment) {
    const { worker, way, to } = Object.fromEntries(new URL(request.url).searchParams);
    if (worker === "connectors" && environment.CONNECTORS) return environment.CONNECTORS.fetch(request);
    if (way === "setting") return Response.json(environment[to]);
    try {
      if (way === "socket") {
        const socket = connect(to);
        await socket.opened;
        return new Response("reached");
      }
      return await (way === "fetch" ? fetch(to) : environment[way].fetch(to));
    } catch {
      return new Response("blocked");
    }
  },
};
export default own;
export const metrics = { fetch: () => new Response("numbers") };`;

let target: Server;
let address: string;
const ends: (() => void)[] = [];

beforeAll(async () => {
  target = createServer((_, response) => response.end("reached"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const { port } = target.address() as { port: number };
  address = `127.0.0.1:${port}`;
});
afterAll(() => void target.close());
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Ask = (way: string, to: string, worker?: "api" | "connectors") => Promise<string>;

const COMPATIBILITY = { date: "2026-09-01", flags: ["nodejs_compat"] };

function directoryOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), "siskin-workerd-"));
  writeFileSync(join(directory, "worker.js"), WORKER);
  ends.push(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Runs a configuration. Resolves with its ports when all of its sockets listen. */
async function run(
  directory: string,
  configuration: string,
  sockets: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, number>> {
  const file = join(directory, `${Object.keys(sockets).join("-")}.capnp`);
  writeFileSync(file, configuration);
  const listens = Object.entries(sockets).map(([name, at]) => `--socket-addr=${name}=${at}`);
  const child = spawn(workerdBinary(), ["serve", file, "--control-fd=3", ...listens, ...words], {
    env: { AUTH: 'with "quotes"', SIDECAR_SECRET: "", ...variables },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  ends.unshift(() => child.kill("SIGKILL"));
  return await listening(child.stdio[3] as Readable, listens.length);
}

const socketsIn = (directory: string): Readonly<Record<string, string>> => ({
  http: "127.0.0.1:0",
  probe: `unix:${directory}/probe.sock`,
  metrics: `unix:${directory}/metrics.sock`,
});

async function started(
  networks: ServiceConfiguration["networks"],
  files?: string,
  directory = directoryOfTest(),
): Promise<Ask> {
  const workers = { api: "worker.js", connectors: "worker.js", mcp: "worker.js" };
  const configuration = serviceConfiguration({
    workers,
    hasFilesWorker: files !== undefined,
    compatibility: COMPATIBILITY,
    networks,
  });
  const sockets = socketsIn(directory);
  const words = [
    `--external-addr=sidecar=${address}`,
    `--directory-path=explorer=${directory}`,
    ...(files === undefined ? [] : [`--external-addr=files=unix:${files}`]),
  ];
  const port = (await run(directory, configuration, sockets, words)).get("http");
  return async (way, to, worker = "api") => {
    const response = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ worker, way, to })}`);
    return await response.text();
  };
}

async function startedFiles(networks: readonly Network[], directory: string): Promise<string> {
  const socket = join(directory, "files.sock");
  const configuration = filesConfiguration({ files: ["worker.js"], compatibility: COMPATIBILITY, networks });
  await run(directory, configuration, { files: `unix:${socket}` });
  return socket;
}

/** The answer to a request over a Unix socket. */
const over = (socketPath: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath, path }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () => resolve(`${answer.statusCode} ${text}`));
    });
    asked.once("error", reject);
    asked.end();
  });

describe("the files Worker, in a process of its own", () => {
  it("is reached by the API, by the door that is for bindings", async () => {
    const directory = directoryOfTest();
    const ask = await started(["public"], await startedFiles(["public"], directory), directory);
    expect(await ask("FILES", "http://bound-worker/")).toBe('files ["ALLOW_PRIVATE_HOSTS"]');
  });

  it("dials what the connectors may, and no other service", async () => {
    const directory = directoryOfTest();
    const files = await startedFiles(["public"], directory);
    const query = (way: string, to: string) => `/?${new URLSearchParams({ way, to })}`;
    expect(await over(files, query("fetch", `http://${address}/`))).toBe("200 blocked");
    expect(await over(files, query("socket", address))).toBe("200 blocked");
    expect(await over(files, query("SIDECAR", "http://127.0.0.1:8788/"))).toBe("200 blocked");
  });
});

describe("the MCP Worker", () => {
  it("is reached by the API, and has no binding and no setting", async () => {
    const ask = await started(["public", "private", "local"]);
    expect(await ask("MCP", "http://bound-worker/")).toBe("mcp []");
  });

  it("dials nothing", async () => {
    const ask = await started(["public", "private", "local"]);
    const to = (way: string): string =>
      `http://bound-worker/?${new URLSearchParams({ way, to: `http://${address}/` })}`;
    expect(await ask("MCP", to("fetch"))).toBe("blocked");
    expect(await ask("MCP", to("CONNECTORS"))).toBe("blocked");
  });
});

it("numbers are answered at a socket of their own, by an entrypoint that callers do not reach", async () => {
  const directory = directoryOfTest();
  const ask = await started(["public"], undefined, directory);
  expect(await over(join(directory, "metrics.sock"), "/metrics")).toBe("200 numbers");
  expect(await ask("setting", "MAX_ROWS")).toBe("null");
});

it("the probe is answered by a Worker that has no settings and dials nothing", async () => {
  const directory = directoryOfTest();
  await started(["public"], undefined, directory);
  const query = new URLSearchParams({ way: "fetch", to: `http://${address}/` });
  expect(await over(join(directory, "probe.sock"), `/?${query}`)).toBe("200 ");
});

describe("a sidecar whose address is https", () => {
  const TLS = new URL("../fixtures/tls/", import.meta.url);
  const file = (name: string): string => fileURLToPath(new URL(`test-only-${name}`, TLS));

  /** A listener that counts the requests that it understands. */
  async function listener(server: Server): Promise<{ readonly port: number; readonly requests: () => number }> {
    let requests = 0;
    server.on("request", (_, response) => {
      requests++;
      response.end("reached");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return { port: (server.address() as { port: number }).port, requests: () => requests };
  }
  const secure = () =>
    createSecureServer({ cert: readFileSync(file("server.crt")), key: readFileSync(file("server.key")) });

  async function asked(url: string, trusted?: string): Promise<string> {
    const directory = directoryOfTest();
    const workers = { api: "worker.js", connectors: "worker.js", mcp: "worker.js" };
    const options = { workers, compatibility: COMPATIBILITY, networks: ["public"] } as const;
    const sockets = socketsIn(directory);
    const variables: Record<string, string> = trusted === undefined ? {} : { SSL_CERT_FILE: trusted };
    const configuration = serviceConfiguration({ ...options, isSidecarSecure: true });
    const port = (
      await run(directory, configuration, sockets, [`--directory-path=explorer=${directory}`], variables)
    ).get("http");
    const query = new URLSearchParams({ worker: "api", way: "SIDECAR", to: url });
    return await (await fetch(`http://127.0.0.1:${port}/?${query}`)).text();
  }

  it("is reached by TLS where its certificate is trusted, for its name alone", async () => {
    const { port, requests } = await listener(secure());
    expect(await asked(`https://localhost:${port}/`, file("ca.crt"))).toBe("reached");
    expect(await asked(`https://127.0.0.1:${port}/`, file("ca.crt"))).not.toBe("reached");
    expect(requests()).toBe(1);
  });

  it("is refused where its certificate is not trusted", async () => {
    const { port, requests } = await listener(secure());
    expect(await asked(`https://localhost:${port}/`)).not.toBe("reached");
    expect(requests()).toBe(0);
  });

  it("never gets a request in plain text", async () => {
    const { port, requests } = await listener(createServer());
    expect(await asked(`https://localhost:${port}/`)).not.toBe("reached");
    expect(requests()).toBe(0);
  });
});

it.each([
  [undefined, false],
  ["", false],
  ["http://127.0.0.1:8788", false],
  ["https://sidecar.internal:8443", true],
])("SIDECAR_URL %s: the image's configuration with TLS is %s", (url, expected) => {
  expect(isSecureSidecar(url)).toBe(expected);
});

describe("a deployment", () => {
  it("dials no loopback or private address for callers, and reaches the sidecar and the provider of identities", async () => {
    const ask = await started(["public"]);
    for (const worker of ["api", "connectors"] as const) {
      expect(await ask("fetch", `http://${address}/`, worker)).toBe("blocked");
      expect(await ask("socket", address, worker)).toBe("blocked");
    }
    expect(await ask("SIDECAR", "http://127.0.0.1:8788/")).toBe("reached");
    expect(await ask("IDENTITY_PROVIDER", `http://${address}/`)).toBe("reached");
  });

  it("has its settings from the variables of its process", async () => {
    const ask = await started(["public"]);
    expect(await ask("setting", "AUTH")).toBe(JSON.stringify('with "quotes"'));
    expect(await ask("setting", "SIDECAR_SECRET")).toBe('""');
    expect(await ask("setting", "MAX_ROWS")).toBe("null");
  });
});

it("local development may dial them", async () => {
  const ask = await started(["public", "private", "local"]);
  expect(await ask("fetch", `http://${address}/`, "connectors")).toBe("reached");
  expect(await ask("socket", address, "connectors")).toBe("reached");
  // The API dials nothing, wherever it runs.
  expect(await ask("fetch", `http://${address}/`)).toBe("blocked");
  expect(await ask("socket", address)).toBe("blocked");
});

describe("compatibilityOf", () => {
  it.each(["wrangler.toml", "src/wrangler.connectors.toml", "src/wrangler.files.toml", "src/wrangler.mcp.toml"])(
    "reads %s as wrangler does",
    async (file) => {
      const { unstable_readConfig } = await import("wrangler");
      const config = unstable_readConfig({ config: file }, { hideWarnings: true });
      const { date, flags } = await compatibilityOf(file);
      expect([date, flags]).toEqual([config.compatibility_date, config.compatibility_flags]);
    },
  );

  it("rejects a file without flags", async () => {
    await expect(compatibilityOf("package.json")).rejects.toThrow("package.json has no compatibility date or flags.");
  });
});
