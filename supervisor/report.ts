/** The words of a supervisor. */
import { logLine } from "../src/log-line.ts";
import type { SupervisorEvent } from "./supervised.ts";

export function sentenceOf(event: SupervisorEvent): string {
  if (event.event === "hung") {
    return `${event.process} has not answered for ${event.milliseconds} ms and is ended.`;
  }
  return `${event.process} has ended (${event.how}) and is started again; what it was doing has failed.`;
}

/** One line of JSON, like the log lines of the other processes. An end with code 0 was asked for and is no error. */
export function logLineOf(event: SupervisorEvent): string {
  const level = event.event === "ended" && event.code === 0 ? "info" : "error";
  const { event: name, process, ...fields } = event;
  return logLine({ level, event: `process ${name}`, process, ...fields, message: sentenceOf(event) });
}
