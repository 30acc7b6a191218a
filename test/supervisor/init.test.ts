/** Process 1 of both images: a shell script that runs a command. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, test } from "vitest";
import { descendantsOf } from "../support/service.ts";

const INIT = join(import.meta.dirname, "../../supervisor/init.sh");
/** A process namespace of its own, in which the script is process 1, as in a container. */
const NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc"];
const hasNamespaces = spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), "true"]).status === 0;

test.each([0, 1, 78, 130])("ends with the command's exit code %d", (code) => {
  expect(spawnSync("sh", [INIT, "sh", "-c", `exit ${code}`]).status).toBe(code);
});

test("hands on every word", () => {
  const { stdout } = spawnSync("sh", [INIT, "printf", "[%s]", "a b", "$c", ""], { encoding: "utf8" });
  expect(stdout).toBe("[a b][$c][]");
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s reaches the command, which ends in its own time",
  async (signal) => {
    const program = `
    process.on("${signal}", () => { console.log("${signal}"); process.stdin.resume(); });
    const keep = setInterval(() => {}, 1000);
    setTimeout(() => console.log("ready"), 0);
    process.once("SIGUSR2", () => process.exit(3));`;
    const child = spawn("sh", [INIT, process.execPath, "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    const next = async (): Promise<string> => String((await once(lines, "line"))[0]);
    expect(await next()).toBe("ready");
    // Each one is handed on, the second too.
    for (let time = 0; time < 2; time++) {
      const said = next();
      child.kill(signal);
      expect(await said).toBe(signal);
    }
    expect(child.exitCode).toBe(null);
    const ended = once(child, "exit");
    process.kill(descendantsOf(child.pid!)[0]!.pid, "SIGUSR2");
    expect(await ended).toEqual([3, null]);
  },
);

it.skipIf(!hasNamespaces)("collects processes that lost their parent", () => {
  // The grandchild dies as an orphan; the command then counts what has ended and was not collected.
  const program = `
    const { execSync } = require("node:child_process");
    const { readdirSync, readFileSync } = require("node:fs");
    execSync("sh -c 'sh -c \\"exit 0\\" & sh -c \\"exit 0\\" &' ");
    const states = () => readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((name) => {
      try { return /^State:\\s*(\\w)/m.exec(readFileSync("/proc/" + name + "/status", "utf8"))[1]; } catch { return ""; }
    });
    const look = () => { if (states().includes("Z")) setTimeout(look, 20); else console.log(process.pid > 1); };
    look();`;
  const { stdout } = spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), "sh", INIT, process.execPath, "-e", program], {
    encoding: "utf8",
    timeout: 20_000,
  });
  expect(stdout).toBe("true\n");
});
