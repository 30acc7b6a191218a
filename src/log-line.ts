/** One line of the log: JSON with the time first, which the platform or a reader of the log sorts by. */

export interface LogEntry {
  readonly level: "info" | "error";
  readonly event: string;
}

/** `time` is ISO 8601 in UTC. On Cloudflare it is the time of the last input or output. */
export function logLine(entry: LogEntry & Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ time: new Date().toISOString(), ...entry });
}
