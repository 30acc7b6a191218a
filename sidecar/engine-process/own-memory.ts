/** What the system says of this process's memory: Linux counts what is writable and not shared, other systems do not. */
import { readFileSync } from "node:fs";

/** What `ulimit -d` came to, in bytes; undefined where the system has no such limit. */
export function dataLimit(): number | undefined {
  return process.platform === "linux" ? bytesIn("limits", /^Max data size\s+(\d+)/m) : undefined;
}

/** What counts for that limit now, in bytes; elsewhere what is in the machine's memory. */
export function dataSize(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  return (bytesIn("status", /^VmData:\s+(\d+) kB/m) ?? 0) * 1024;
}

function bytesIn(file: string, pattern: RegExp): number | undefined {
  const [, count] = pattern.exec(readFileSync(`/proc/self/${file}`, "latin1")) ?? [];
  return count === undefined ? undefined : Number(count);
}
