/** Samples of a service's memory and handles while it runs, and whether they grow. */
import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import { descendantsOf } from "../support/service.ts";
import type { LiveHeaps } from "./heaps.ts";

/** The measures; memory in MiB. Linux only: elsewhere numbers of processes are 0. */
export const MEASURES = {
  apiHeap: { title: "Live heap of workerd, MiB", slack: 8 },
  sidecarHeap: { title: "Live heap of the sidecar, MiB", slack: 8 },
  apiMemory: { title: "Memory of workerd, MiB", slack: 48 },
  sidecarMemory: { title: "Memory of the sidecar, MiB", slack: 48 },
  engineMemory: { title: "Memory of DuckDB's processes, MiB", slack: 256 },
  processes: { title: "Processes", slack: 4 },
  files: { title: "Open files of workerd and sidecar", slack: 24 },
  connections: { title: "Connections in `pg_stat_activity`", slack: 3 },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly slack: number }>>;
export type Measure = keyof typeof MEASURES;
/** One look. Heaps are not in each: collecting their garbage holds up what runs. */
export type Sample = Readonly<Record<Exclude<Measure, keyof LiveHeaps>, number>> &
  Partial<LiveHeaps> & { readonly seconds: number };

/** Connections of anybody but `watcher` to its database. */
export async function connectionsIn(watcher: pg.Client): Promise<number> {
  const { rows } = await watcher.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  return rows[0].n as number;
}

export function sampleOf(service: number, seconds: number, connections: number): Sample {
  const processes = descendantsOf(service);
  const having = (word: string): number[] =>
    processes.filter(({ command }) => command.includes(word)).map(({ pid }) => pid);
  const api = having("workerd.capnp");
  const sidecar = having("sidecar/main.ts");
  const sum = (pids: readonly number[], of: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + of(pid), 0);
  return {
    seconds,
    apiMemory: sum(api, resident),
    sidecarMemory: sum(sidecar, resident),
    engineMemory: sum(having("engine-process/child.ts"), resident),
    processes: processes.length,
    files: sum([...api, ...sidecar], openFiles),
    connections,
  };
}

/** Resident MiB; 0 for a process that has just ended. */
export function resident(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

export interface Trend {
  readonly median: number;
  readonly most: number;
  /** From the beginning of the second half to its end, along the straight line that fits best. */
  readonly growth: number;
  /** The most that `growth` may be: a tenth of the median, or the slack of a measure that goes up and down by itself. */
  readonly bound: number;
}

/** Whether a trend is one: a heap that has just begun grows for minutes before it is collected as a whole. */
export const isLongEnough = (samples: readonly Sample[]): boolean => (samples.at(-1)?.seconds ?? 0) >= 590;

/** The trend of the second half: restarts and warming up are in the first. */
export function trendOf(samples: readonly Sample[], measure: Measure): Trend {
  const end = samples.at(-1)?.seconds ?? 0;
  const points = samples
    .filter(({ seconds }) => seconds >= end / 2)
    .flatMap(({ seconds, [measure]: value }) => (value === undefined ? [] : [{ at: seconds, value }]));
  const values = points.map(({ value }) => value).sort((a, b) => a - b);
  const median = values[Math.floor(values.length / 2)] ?? 0;
  const slope = slopeOf(points);
  return {
    median,
    most: Math.max(0, ...samples.map((sample) => sample[measure] ?? 0)),
    growth: slope * (end / 2),
    bound: Math.max(median / 10, MEASURES[measure].slack),
  };
}

/** Least squares. */
export function slopeOf(points: readonly { readonly at: number; readonly value: number }[]): number {
  const mean = (of: (point: { readonly at: number; readonly value: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length);
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread;
}
