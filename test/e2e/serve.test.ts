/** `npm run serve` and what the images run: the service for use, where nothing holds that nobody has said. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { descendantsOf, freePort, isFree, isRunning, type Launch, launch, startOf } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const SERVE = [...startOf(ROOT), "serve"];
const SECRET = "a secret of both that is long enough";
const BODY = readFileSync(join(ROOT, "examples/tpch/question.json"), "utf8");

const ask = (url: string): Promise<Response> =>
  fetch(`${url}/v3/connector/local_file/query`, { method: "POST", body: BODY });

describe("npm run serve", { timeout: 90_000 }, () => {
  it.each([
    [{}, /^AUTH is not set\. See docs\/configuration\.md\n$/],
    [{ AUTH: "none", SIDECAR_SECRET: "short" }, /^SIDECAR_SECRET: .*See docs\/configuration\.md\n$/],
  ])("%j is refused in a sentence", async (settings, sentence) => {
    const launched = launch({ PORT: "0", AUTH: "", ...settings }, SERVE);
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toMatch(sentence);
  });

  it("answers, shows nobody files that it was not given, and writes both logs", async () => {
    const launched = launch({ PORT: "0", AUTH: "none", FILE_ROOT: join(ROOT, "examples") }, SERVE);
    const url = await servingAt(launched);
    expect((await ask(url)).status).toBe(200);
    await vi.waitFor(() => {
      const lines = jsonLines(launched.output());
      expect(lines).toContainEqual(expect.objectContaining({ route: "/v3/connector/:data_source/query", status: 200 }));
      expect(lines).toContainEqual(expect.objectContaining({ event: "call", outcome: "complete" }));
    });
    const family = descendantsOf(launched.pid);
    launched.process.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
    await vi.waitFor(() => expect(family.filter(({ pid }) => isRunning(pid))).toEqual([]), { timeout: 30_000 });
  });

  it("has no files of its own", async () => {
    const launched = launch({ PORT: "0", AUTH: "none" }, SERVE);
    const answer = await ask(await servingAt(launched));
    expect(answer.status).toBe(422);
    launched.process.kill("SIGTERM");
    await launched.ended;
  });

  it("has the files Worker when it is asked for", async () => {
    const launched = launch({ PORT: "0", AUTH: "none", FILES_WORKER: "on" }, SERVE);
    const answer = await fetch(`${await servingAt(launched)}/ready`);
    expect(await answer.json()).toMatchObject({ status: "ready", parts: { connectors: "ok", files: "ok" } });
    launched.process.kill("SIGTERM");
    await launched.ended;
  });

  it("ends when workerd does", async () => {
    const launched = launch({ PORT: "0", AUTH: "none" }, SERVE);
    await servingAt(launched);
    const workerd = descendantsOf(launched.pid).find(({ command }) => command.includes("workerd.capnp"));
    process.kill(workerd!.pid, "SIGKILL");
    expect(await launched.ended).toBe(1);
    expect(launched.output()).toContain("The Worker has ended (SIGKILL), and with it the service.\n");
  });
});

async function servingAt(launched: Launch): Promise<string> {
  return await vi.waitFor(
    () => {
      const serving = jsonLines(launched.output()).find(({ event }) => event === "serving");
      expect(serving, launched.output()).toBeDefined();
      return String(serving!["url"]);
    },
    { timeout: 60_000 },
  );
}

function jsonLines(output: string): readonly Readonly<Record<string, unknown>>[] {
  return output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
}

/** Docker is not here: what the Dockerfiles copy is copied, and what they run is run, in an empty directory. */
describe("the images", { timeout: 240_000 }, () => {
  let directory: string;
  const children: ChildProcess[] = [];
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "siskin-image-"));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Copies what the first or last stage of a Dockerfile takes from the checkout. Packages are linked, not installed. */
  function copied(dockerfile: string, into: string): void {
    for (const [, sources = "", target = ""] of readFileSync(join(ROOT, dockerfile), "utf8").matchAll(
      /^COPY (?!--from)(.+) (\S+)$/gm,
    )) {
      for (const source of sources.split(" ").flatMap((pattern) => globSync(pattern, { cwd: ROOT }))) {
        const to = target.endsWith("/") || target === "." ? join(into, target, basename(source)) : join(into, target);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(ROOT, source), to, { recursive: true, filter: (path) => !path.includes("node_modules") });
      }
    }
    symlinkSync(join(ROOT, "node_modules"), join(into, "node_modules"));
  }

  const command = (dockerfile: string, word: string): readonly string[] =>
    JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, "m").exec(readFileSync(join(ROOT, dockerfile), "utf8"))![1]!);

  it("answer a question, API without Node beside the sidecar", async () => {
    const [api, sidecar] = [join(directory, "api"), join(directory, "sidecar")];
    copied("Dockerfile", api);
    copied("sidecar/Dockerfile", sidecar);
    execFileSync("npm", ["run", "build"], { cwd: api, stdio: "pipe" });
    const [port, sidecarPort] = [await freePort(), await freePort()];
    const words = [...command("Dockerfile", "ENTRYPOINT"), ...command("Dockerfile", "CMD")].map((word) =>
      word.replace("0.0.0.0:8787", `127.0.0.1:${port}`).replace("127.0.0.1:8788", `127.0.0.1:${sidecarPort}`),
    );
    const [, ...sidecarWords] = command("sidecar/Dockerfile", "CMD");
    children.push(
      spawn(join(api, words[0]!), words.slice(1), {
        cwd: api,
        env: { AUTH: "none", SIDECAR_URL: `http://127.0.0.1:${sidecarPort}`, SIDECAR_SECRET: SECRET },
      }),
      spawn(process.execPath, ["--experimental-strip-types", ...sidecarWords], {
        cwd: sidecar,
        env: {
          PATH: process.env["PATH"],
          HOST: "127.0.0.1",
          PORT: String(sidecarPort),
          SIDECAR_SECRET: SECRET,
          SIDECAR_SECRET_PREVIOUS: "",
          FILE_ROOT: join(ROOT, "examples"),
        },
      }),
    );
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), { timeout: 60_000 });
    expect((await ask(url)).status).toBe(200);
    // What a supervisor sends; a request that runs then is answered.
    children[0]!.kill("SIGTERM");
    await vi.waitFor(async () => expect(await isFree(url)).toBe(true), { timeout: 20_000 });
  });
});
