import { expect, it, test } from "vitest";
import { logLineOf, sentenceOf } from "../../supervisor/report.ts";
import type { SupervisorEvent } from "../../supervisor/supervised.ts";

const HUNG: SupervisorEvent = { event: "hung", process: "The API", milliseconds: 15_000 };
const ended = (code: number | undefined, how: string): SupervisorEvent => ({
  event: "ended",
  process: "The sidecar",
  how,
  code,
});

test.each([
  [HUNG, "error", "process hung"],
  [ended(undefined, "SIGKILL"), "error", "process ended"],
  [ended(1, "code 1"), "error", "process ended"],
  [ended(0, "code 0"), "info", "process ended"],
])("%j is a line of the log", (event, level, name) => {
  expect(JSON.parse(logLineOf(event))).toMatchObject({
    level,
    event: name,
    process: event.process,
    message: sentenceOf(event),
  });
});

it("is a sentence", () => {
  expect(sentenceOf(HUNG)).toBe("The API has not answered for 15000 ms and is ended.");
  expect(sentenceOf(ended(1, "code 1"))).toBe(
    "The sidecar has ended (code 1) and is started again; what it was doing has failed.",
  );
});
