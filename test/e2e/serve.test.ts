/** `npm run serve` and what the images run: the service for use, where nothing holds that nobody has said. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { descendantsOf, freePort, isFree, isRunning, type Launch, launch, startOf } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const SERVE = [...startOf(ROOT), "serve"];
const SECRET = "a secret of both that is long enough";
const BODY = readFileSync(join(ROOT, "examples/tpch/question.json"), "utf8");

const ask = (url: string): Promise<Response> =>
  fetch(`${url}/v3/connector/local_file/query`, { method: "POST", body: BODY });

describe("npm run serve", () => {
  it.each([
    [{}, /^AUTH is not set\. See docs\/reference\/configuration\.md\n$/],
    [{ AUTH: "none", SIDECAR_SECRET: "short" }, /^SIDECAR_SECRET: .*See docs\/reference\/configuration\.md\n$/],
    [{ AUTH: "none", MAX_ROWZ: "3" }, /^MAX_ROWZ is not a setting \(did you mean MAX_ROWS\?\)\. See docs/],
    [{ AUTH: "none", ALOWED_HOSTS: "*" }, /^ALOWED_HOSTS is not a setting \(did you mean ALLOWED_HOSTS\?\)\. See docs/],
    [{ AUTH: "none", ALLOWED_HOSTS: "10.0.0.0/99" }, /ALLOWED_HOSTS: entry 1 is no range like 10\.0\.0\.0\/8/],
    [{ AUTH: "none", FILES_WORKER: "onn" }, /^FILES_WORKER: /],
    [{ AUTH: "none", CONNECTIONS: "{}}" }, /^CONNECTIONS: must be a JSON object/],
    [
      { AUTH: "none", CONNECTIONS: '{"shop": {"dataSource": "postgres", "connectionInfo": {"host": "h"}}}' },
      /^CONNECTIONS: "shop": connectionInfo\.port: is missing/,
    ],
    [
      { AUTH: "none", PROJECTS: "files", PROJECTS_DIRECTORY: tmpdir(), HOST: "0.0.0.0" },
      /^PROJECTS with AUTH=none is for loopback addresses alone/,
    ],
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

  it("serves the API's numbers at an address of their own, and writes nothing but JSON with a time", async () => {
    const port = await freePort();
    const launched = launch(
      { PORT: "0", AUTH: "none", FILE_ROOT: join(ROOT, "examples"), API_METRICS_PORT: String(port) },
      SERVE,
    );
    const url = await servingAt(launched);
    const numbers = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${numbers}/metrics`)).text()).toContain("siskin_api_in_flight 0\n");
    expect((await ask(url)).status).toBe(200);
    await eventually(async () => {
      const answer = await fetch(`${numbers}/metrics`);
      expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(await answer.text()).toContain(
        'siskin_api_requests_total{route="/v3/connector/:data_source/query",source="local_file",status="200",reason="",ended="complete"} 1\n',
      );
    });
    expect((await fetch(`${numbers}/health`)).status).toBe(404);
    expect((await fetch(`${numbers}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    launched.process.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
    const lines = launched.output().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      lines.map(() => expect.objectContaining({ time: expect.any(String), event: expect.any(String) })),
    );
  });

  it("starts workerd again at the same port, and says so in its log", async () => {
    const launched = launch({ PORT: "0", AUTH: "none" }, SERVE);
    const url = await servingAt(launched);
    const workerd = descendantsOf(launched.pid).find(({ command }) => command.includes("workerd.capnp"));
    process.kill(workerd!.pid, "SIGKILL");
    await eventually(() => expect(isRunning(workerd!.pid)).toBe(false));
    await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
    expect(jsonLines(launched.output())).toContainEqual(
      expect.objectContaining({ level: "error", event: "process ended", process: "The API", how: "SIGKILL" }),
    );
    launched.process.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
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
    copied("supervisor/Dockerfile", home("api"));
    copied("sidecar/Dockerfile", home("sidecar"));
    execFileSync("npm", ["run", "build"], { cwd: home("api"), stdio: "pipe" });
  });
  afterEach(() => {
    for (const { pid } of children.splice(0)) {
      for (const each of [pid!, ...descendantsOf(pid!).map((descendant) => descendant.pid)]) {
        if (isRunning(each)) process.kill(each, "SIGKILL");
      }
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const home = (image: Image): string => join(directory, image);

  /** Copies what the stages of a Dockerfile take from the checkout. Packages are linked, not installed. */
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

  const words = (image: Image): readonly string[] => {
    const text = readFileSync(join(ROOT, image === "api" ? "supervisor/Dockerfile" : "sidecar/Dockerfile"), "utf8");
    return ["ENTRYPOINT", "CMD"].flatMap((word) =>
      JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, "m").exec(text)?.[1] ?? "[]"),
    );
  };

  /** Runs what an image runs, with these ports in place of the image's. */
  function run(image: Image, ports: Ports, settings: Readonly<Record<string, string>>): ChildProcess {
    const [program = "", ...rest] = words(image).map((word) =>
      word.replace("0.0.0.0:8787", `127.0.0.1:${ports.api}`).replace("127.0.0.1:8788", `127.0.0.1:${ports.sidecar}`),
    );
    const child = spawn(program, rest, {
      cwd: home(image),
      env: {
        // The images have one Node.
        PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
        NODE_OPTIONS: "--experimental-strip-types",
        SIDECAR_SECRET: SECRET,
        ...settings,
      },
    });
    children.push(child);
    return child;
  }

  const api = (ports: Ports, settings: Readonly<Record<string, string>> = {}): ChildProcess =>
    run("api", ports, { AUTH: "none", SIDECAR_URL: `http://127.0.0.1:${ports.sidecar}`, ...settings });
  const sidecar = (ports: Ports, settings: Readonly<Record<string, string>> = {}): ChildProcess =>
    run("sidecar", ports, {
      HOST: "127.0.0.1",
      PORT: String(ports.sidecar),
      SIDECAR_SECRET_PREVIOUS: "",
      FILE_ROOT: join(ROOT, "examples"),
      ...settings,
    });

  it("answer a question, survive a process that hangs, and end with SIGTERM", async () => {
    const ports = { api: await freePort(), sidecar: await freePort() };
    const quick = { PROBE_INTERVAL_MS: "1000" };
    const [first, second] = [api(ports, { ...quick, FILES_WORKER: "on" }), sidecar(ports, quick)];
    const url = `http://127.0.0.1:${ports.api}`;
    const isReady = () => eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200));
    await isReady();
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({ parts: { files: "ok", sidecar: "ok" } });
    expect((await ask(url)).status).toBe(200);
    for (const [container, name] of [
      [first, "workerd-with-files.capnp"],
      [first, "files.capnp --control"],
      [second, "sidecar/main.ts"],
    ] as const) {
      const { pid } = descendantsOf(container.pid!).find(({ command }) => command.includes(name))!;
      process.kill(pid, "SIGSTOP");
      await eventually(() => expect(isRunning(pid)).toBe(false));
      await isReady();
    }
    // `/ready` keeps an answer for five seconds, so that the sidecar may still be starting.
    await eventually(async () => expect((await ask(url)).status).toBe(200));
    for (const container of [first, second]) {
      const family = descendantsOf(container.pid!);
      const ended = once(container, "exit");
      // A container's process 1 gets this; a request that runs then is answered.
      container.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      await eventually(() => expect(family.filter(({ pid }) => isRunning(pid))).toEqual([]));
    }
    expect(await isFree(url)).toBe(true);
  });

  it.each<[image: Image, settings: Readonly<Record<string, string>>, sentence: RegExp]>([
    ["api", { AUTH: "" }, /^AUTH is not set\. See docs\/reference\/configuration\.md\n$/],
    ["api", { SIDECAR_SECRET: "short" }, /^SIDECAR_SECRET: .*\n$/],
    ["api", { FILES_WORKER: "yes", PROBE_INTERVAL_MS: "soon" }, /^FILES_WORKER: .*; PROBE_INTERVAL_MS: .*\n$/],
    ["api", { CONNECTIONS: "{}}" }, /^CONNECTIONS: must be a JSON object of name → connection\. See docs/],
    [
      "api",
      { CONNECTIONS: '{"shop": {"dataSource": "postgres", "connectionInfo": {"host": "h", "password": "s3cr3t!"}}}' },
      /^CONNECTIONS: "shop": connectionInfo\.port: is missing(?!.*s3cr3t).*\n$/,
    ],
    [
      "api",
      { CONNECTIONS: '{"shop": {"dataSource": "postgres", "hyperdrive": "SHOP"}}' },
      /^CONNECTIONS: "shop": .*hyperdrive does not name a Hyperdrive binding.*\n$/,
    ],
    ["sidecar", { SIDECAR_SECRET: "short" }, /^The sidecar does not start: SIDECAR_SECRET: .*\n$/],
    ["sidecar", { FILE_ROOT: "/nowhere" }, /^The sidecar does not start: FILE_ROOT is not a readable directory.*\n$/],
    ["sidecar", { RESTART_MAX_PAUSE_MS: "long" }, /^RESTART_MAX_PAUSE_MS: .*\n$/],
  ])("say a wrong setting once and end: %s %j", async (image, settings, sentence) => {
    const ports = { api: await freePort(), sidecar: await freePort() };
    const container = (image === "api" ? api : sidecar)(ports, settings);
    let said = "";
    container.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    expect(await once(container, "close")).toEqual([78, null]);
    expect(said).toMatch(sentence);
  });

  it("hold everything in a form that another user may read", () => {
    const build = join(home("api"), "dist");
    const closed = readdirSync(build, { recursive: true, encoding: "utf8" }).filter((name) => {
      const stats = statSync(join(build, name));
      return (stats.mode & 0o004) === 0 || (stats.isDirectory() && (stats.mode & 0o001) === 0);
    });
    expect(closed).toEqual([]);
  });
});

type Image = "api" | "sidecar";
interface Ports {
  readonly api: number;
  readonly sidecar: number;
}
