/** CPU time of another process: unlike a clock, it does not run while others have the cores. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds that all threads of the process that still run have been on a core. */
export function cpuMilliseconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => {
    const [nanoseconds] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}
