/** The supervisor in a container: settings, signals, log and exit codes of both images. */
import { spawnSync } from "node:child_process";
import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import type { SupervisorSettings } from "../src/config.ts";
import { ProcessOutput } from "./process-output.ts";
import { logLineOf } from "./report.ts";
import { StartFailure, type Supervised, type Supervision } from "./supervised.ts";

/** Runs `program`, which is `checked-settings.ts`. Ends the process when it says that a setting is wrong. */
export function checkedSettings(program: string, kind: "api" | "sidecar"): SupervisorSettings {
  const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, program, kind], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(stdout) as SupervisorSettings;
}

export function supervisionBy(settings: SupervisorSettings): Supervision {
  return {
    probeIntervalMs: settings.PROBE_INTERVAL_MS,
    longestPauseMs: settings.RESTART_MAX_PAUSE_MS,
    report: (event) => writeLine(logLineOf(event)),
  };
}

// A closed log reader does not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);
const writeErrorLine = (line: string): void => void process.stderr.write(`${line}\n`);

export const wordsOf = (name: string): ProcessOutput => new ProcessOutput({ process: name, writeLine, writeErrorLine });

/**
 * Starts the processes together. The first SIGTERM or SIGINT ends them one after the other, in the order given, each as long
 * as it takes: whoever sent the signal sets the limit. The second one does not wait for what runs. A first start that fails
 * ends the container with the exit code of the process.
 */
export async function runUntilSignal(processes: readonly Supervised[]): Promise<void> {
  let signals = 0;
  const stop = async (): Promise<void> => {
    if (++signals > 1) return void (await Promise.all(processes.map((each) => each.hurry())));
    for (const each of processes) await each.stop();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => void stop());
  try {
    await Promise.all(processes.map((each) => each.start()));
  } catch (error) {
    if (signals > 0) return;
    const end = error instanceof StartFailure ? error.end : undefined;
    // A process that exits with this code has already logged the cause.
    if (end?.code !== WRONG_SETTINGS) writeErrorLine(error instanceof Error ? error.message : String(error));
    process.exit(end?.code || 1);
  }
}
