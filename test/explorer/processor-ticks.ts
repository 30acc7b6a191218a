/** The processor time of the processes that a service started, in ticks of Linux. */
import { readFileSync } from "node:fs";
import { descendantsOf } from "../support/service.ts";

/** Ticks by process. */
export function processorTicks(pid: number): ReadonlyMap<number, number> {
  return new Map([pid, ...descendantsOf(pid).map((each) => each.pid)].map((each) => [each, ticksOf(each)]));
}

/** The process that has worked most since, and how many ticks. */
export function busiest(
  pid: number,
  before: ReadonlyMap<number, number>,
): { readonly pid: number; readonly ticks: number } {
  const grown = [...processorTicks(pid)].map(([each, ticks]) => ({
    pid: each,
    ticks: ticks - (before.get(each) ?? 0),
  }));
  return grown.toSorted((a, b) => b.ticks - a.ticks)[0] ?? { pid, ticks: 0 };
}

/** 0 for a process that has ended. `utime` and `stime` of `/proc/PID/stat`; the name of the program, which may hold anything, ends with the last parenthesis. */
export function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, , , , , , , , , , , user = "0", system = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(user) + Number(system);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
