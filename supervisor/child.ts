/** A child process of the supervisor: its output line by line, and the ways it ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { End, RunningProcess } from "./supervised.ts";

export interface ChildOptions {
  readonly command: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Descriptor 3 of the child: a pipe that is read here, or Node's channel for messages. */
  readonly channel: "pipe" | "ipc";
  /** A process group of its own: Ctrl-C in a terminal is for the supervisor alone, and SIGKILL reaches all of the group. */
  readonly isGroup: boolean;
  /** Sent when the supervisor ends before the child. */
  readonly atExit: "SIGTERM" | "SIGKILL";
  readonly onOutput: (line: string) => void;
  readonly onErrorOutput: (line: string) => void;
}

export interface Child extends Pick<RunningProcess, "ended" | "signal"> {
  readonly process: ChildProcess;
  /** Descriptor 3, where it is a pipe. */
  readonly control: Readable;
}

/** Time for the last lines of a child that has ended: a grandchild may hold its output open for longer. */
const LAST_LINES_MS = 200;

export function startChild(options: ChildOptions): Child {
  const { command, words, environment, channel, isGroup } = options;
  const child = spawn(command, words, {
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe", channel],
    detached: isGroup,
  });
  createInterface({ input: child.stdout as Readable }).on("line", options.onOutput);
  createInterface({ input: child.stderr as Readable }).on("line", options.onErrorOutput);
  let hasEnded = false;
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    if (hasEnded || child.pid === undefined) return;
    // A child that exits normally ends its own children; after SIGKILL they keep running.
    if (name === "SIGKILL" && isGroup) killGroup(child.pid);
    else child.kill(name);
  };
  const atExit = (): void => signal(options.atExit);
  process.once("exit", atExit);
  const ended = new Promise<End>((resolve) => {
    const end = (outcome: End): void => {
      hasEnded = true;
      process.off("exit", atExit);
      resolve(outcome);
    };
    child.once("error", ({ message }) => {
      if (child.pid === undefined) end({ code: undefined, how: message });
    });
    child.once("exit", (code, name) => {
      hasEnded = true;
      const outcome = { code: code ?? undefined, how: name ?? `code ${code}` };
      const patience = setTimeout(() => end(outcome), LAST_LINES_MS);
      child.once("close", () => {
        clearTimeout(patience);
        end(outcome);
      });
    });
  });
  return { process: child, control: child.stdio[3] as Readable, ended, signal };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group is empty.
  }
}
