/** Real processes as children of the supervisor. */
import { afterEach, describe, expect, it } from "vitest";
import { type Child, type ChildOptions, startChild } from "../../supervisor/child.ts";
import { eventually } from "../support/eventually.ts";
import { isRunning } from "../support/service.ts";

const children: Child[] = [];
const lines: string[] = [];
const errorLines: string[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.signal("SIGKILL");
    await child.ended;
  }
  lines.length = 0;
  errorLines.length = 0;
});

function start(program: string, options: Partial<ChildOptions> = {}): Child {
  const child = startChild({
    command: process.execPath,
    words: ["-e", program],
    environment: { PATH: process.env["PATH"], GIVEN: "given" },
    channel: "ipc",
    isGroup: true,
    atExit: "SIGKILL",
    onOutput: (line) => void lines.push(line),
    onErrorOutput: (line) => void errorLines.push(line),
    ...options,
  });
  children.push(child);
  return child;
}

describe("a child", () => {
  it("hands on its output line by line, the last ones before its end", async () => {
    const child = start(
      'process.stdout.write("one\\ntw"); process.stderr.write("complaint\\n"); process.stdout.write("o\\n" + process.env.GIVEN)',
    );
    expect(await child.ended).toEqual({ code: 0, how: "code 0" });
    expect([lines, errorLines]).toEqual([["one", "two", "given"], ["complaint"]]);
  });

  it.each([
    ["process.exit(78)", { code: 78, how: "code 78" }],
    ['process.kill(process.pid, "SIGKILL")', { code: undefined, how: "SIGKILL" }],
  ])("tells how it ended: %s", async (program, end) => {
    expect(await start(program).ended).toEqual(end);
  });

  it("that cannot be started has ended", async () => {
    const child = start("", { command: "/nowhere/at/all" });
    expect(await child.ended).toEqual({ code: undefined, how: expect.stringContaining("ENOENT") });
    child.signal("SIGTERM");
  });

  it("has ended even where a process of its own holds its output open", async () => {
    const grandchild = 'require("node:child_process").spawn("sleep", ["1000"], { stdio: "inherit", detached: true })';
    const child = start(`console.log(${grandchild}.pid); setTimeout(() => process.exit(3), 50)`);
    expect(await child.ended).toEqual({ code: 3, how: "code 3" });
    process.kill(Number(lines[0]), "SIGKILL");
  });

  it("is killed with its group", async () => {
    const grandchild = 'require("node:child_process").spawn("sleep", ["1000"])';
    const child = start(`console.log(${grandchild}.pid); setInterval(() => {}, 1000)`);
    await eventually(() => expect(lines).toHaveLength(1));
    child.signal("SIGKILL");
    await child.ended;
    await eventually(() => expect(isRunning(Number(lines[0]))).toBe(false));
  });

  it("leaves no listener behind on the supervisor's process", async () => {
    const before = process.listenerCount("exit");
    for (let time = 0; time < 3; time++) await start("").ended;
    expect(process.listenerCount("exit")).toBe(before);
  });
});
