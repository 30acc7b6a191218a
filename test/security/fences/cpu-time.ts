/** The CPU time of this process and of all processes below it, which other work on the machine hardly changes. */
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. */
const TICK_MS = 10;

interface Process {
  readonly id: number;
  readonly parent: number;
  /** With that of children that have ended. */
  readonly ticks: number;
}

function processes(): readonly Process[] {
  return readdirSync("/proc").flatMap((name): readonly Process[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The second field is the name of the program in parentheses, and may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const [parent, ...times] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
      return [{ id: Number(name), parent: parent ?? 0, ticks: times.reduce((sum, each) => sum + each, 0) }];
    } catch {
      // The process ended meanwhile.
      return [];
    }
  });
}

export function cpuMilliseconds(): number {
  const all = processes();
  const family = new Set([process.pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  return all.reduce((sum, { id, ticks }) => (family.has(id) ? sum + ticks : sum), 0) * TICK_MS;
}
