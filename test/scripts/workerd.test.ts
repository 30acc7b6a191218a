/** The configuration of plain workerd: what a Worker under it may dial, and by which way. The Worker here is a small one. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  listening,
  type ServiceConfiguration,
  serviceConfiguration,
  workerdBinary,
} from "../../scripts/service/workerd.ts";

/** Answers what comes back from the address in its query, dialled by the way named there, in the Worker named there. */
const WORKER = `
import { connect } from "cloudflare:sockets";
import { WorkerEntrypoint } from "cloudflare:workers";
export class Connectors extends WorkerEntrypoint {
  fetch(request) { return own.fetch(request, this.env); }
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
export default own;`;

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

async function started(networks: ServiceConfiguration["networks"]): Promise<Ask> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-workerd-"));
  const file = join(directory, "workerd.capnp");
  writeFileSync(join(directory, "worker.js"), WORKER);
  const workers = { api: "worker.js", connectors: "worker.js" };
  const compatibility = { date: "2026-09-01", flags: ["nodejs_compat"] };
  writeFileSync(file, serviceConfiguration({ workers, compatibility, networks }));
  const child = spawn(
    workerdBinary(),
    ["serve", file, "--control-fd=3", "--socket-addr=http=127.0.0.1:0", `--external-addr=sidecar=${address}`],
    { env: { AUTH: 'with "quotes"', SIDECAR_SECRET: "" }, stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  ends.push(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true });
  });
  const port = (await listening(child.stdio[3] as Readable, 1)).get("http");
  return async (way, to, worker = "api") => {
    const response = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ worker, way, to })}`);
    return await response.text();
  };
}

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
