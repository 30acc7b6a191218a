/** The limit of V8's heap in workerd: a Worker below it is answered, and a process of which a Worker keeps more ends. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, afterEach, expect, it } from "vitest";
import { filesConfiguration, workerdBinary } from "../../scripts/service/workerd.ts";
import { IMPORTS, withLimitedHeap } from "../../supervisor/limited-heap.ts";
import { listening } from "../../supervisor/workerd.ts";

/** Keeps as many MiB of numbers as the request asks for. */
const WORKER = `
import { WorkerEntrypoint } from "cloudflare:workers";
const kept = [];
export class Files extends WorkerEntrypoint {
  fetch(request) {
    const mib = Number(new URL(request.url).searchParams.get("mib"));
    for (let index = 0; index < mib; index++) kept.push(Array.from({ length: 131072 }, () => index + 0.5));
    return new Response("kept");
  }
}
export default {};`;

const directory = mkdtempSync(join(tmpdir(), "siskin-limited-heap-"));
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function started(heapMib: number): Promise<string> {
  const [base, limited] = [join(directory, "base"), join(directory, "limited")];
  for (const each of [base, limited]) mkdirSync(each, { recursive: true });
  writeFileSync(join(base, "worker.js"), WORKER);
  const compatibility = { date: "2026-09-01", flags: ["nodejs_compat"] };
  writeFileSync(
    join(base, "files.capnp"),
    filesConfiguration({ files: ["worker.js"], compatibility, networks: ["public"] }),
  );
  const file = withLimitedHeap(join(base, "files.capnp"), heapMib, limited);
  const words = ["serve", file, IMPORTS, "--control-fd=3", "--socket-addr=files=127.0.0.1:0"];
  const child = spawn(workerdBinary(), words, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  ends.push(() => child.kill("SIGKILL"));
  const ports = await listening(child.stdio[3] as Readable, 1);
  return `http://127.0.0.1:${ports.get("files")}`;
}

afterAll(() => rmSync(directory, { recursive: true }));

it.each([64, 512, 4096])("a Worker below the limit of %i MiB is answered", async (heapMib) => {
  const response = await fetch(`${await started(heapMib)}/?mib=20`);
  expect(await response.text()).toBe("kept");
});

it("a process of which a Worker keeps more ends", async () => {
  await expect(fetch(`${await started(64)}/?mib=300`)).rejects.toThrow("fetch failed");
});
