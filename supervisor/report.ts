/** The words of a supervisor. */
import type { SupervisorEvent } from "./supervised.ts";

export function sentenceOf(event: SupervisorEvent): string {
  if (event.event === "hung") {
    return `${event.process} has not answered for ${event.milliseconds} ms and is ended.`;
  }
  return `${event.process} has ended (${event.how}) and is started again; what it was doing has failed.`;
}

/** As the other processes log: one line of JSON. An end that somebody asked the process for is no error. */
export function logLineOf(event: SupervisorEvent): string {
  const level = event.event === "ended" && event.code === 0 ? "info" : "error";
  const { event: name, process, ...fields } = event;
  const message = sentenceOf(event);
  return JSON.stringify({
    time: new Date().toISOString(),
    level,
    event: `process ${name}`,
    process,
    ...fields,
    message,
  });
}
