/** The system's count of this process's memory: Linux counts writable, unshared memory, other systems do not. */
import { readFileSync } from "node:fs";

/** The effective `ulimit -d`, in bytes; undefined if the system has no such limit. */
export function dataLimit(): number | undefined {
  return process.platform === "linux" ? bytesIn("limits", /^Max data size\s+(\d+)/m) : undefined;
}

/** The memory that counts for that limit, in bytes; on other systems the resident memory. */
export function dataSize(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  return (bytesIn("status", /^VmData:\s+(\d+) kB/m) ?? 0) * 1024;
}

function bytesIn(file: string, pattern: RegExp): number | undefined {
  const [, count] = pattern.exec(readFileSync(`/proc/self/${file}`, "latin1")) ?? [];
  return count === undefined ? undefined : Number(count);
}
