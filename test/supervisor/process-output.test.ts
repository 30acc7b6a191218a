import { describe, expect, it } from "vitest";
import { ProcessOutput } from "../../supervisor/process-output.ts";

function listening() {
  const lines: string[] = [];
  const errors: string[] = [];
  const words = new ProcessOutput({
    process: "The API",
    writeLine: (line) => lines.push(line),
    writeErrorLine: (line) => errors.push(line),
  });
  return { words, lines, errors };
}

const entry = (message: string) => ({
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  level: "error",
  event: "message",
  process: "The API",
  message,
});

describe("the output of a process", () => {
  it("passes lines of JSON as they are, also before the process serves", () => {
    const { words, lines, errors } = listening();
    words.log('{"event":"listening"}');
    expect([lines, errors]).toEqual([['{"event":"listening"}'], []]);
  });

  it.each(["plain text", "{ not JSON", "{}}", "[1]"])("makes %j a line of JSON", (text) => {
    const { words, lines, errors } = listening();
    words.serves();
    words.log(text);
    words.message(text);
    words.message(" ");
    expect([lines.map((line) => JSON.parse(line)), errors]).toEqual([[entry(text), entry(text)], []]);
  });

  it("is held until the process serves", () => {
    const { words, lines, errors } = listening();
    words.message("a warning");
    expect([lines, errors]).toEqual([[], []]);
    words.serves();
    expect([lines.map((line) => JSON.parse(line)), errors]).toEqual([[entry("a warning")], []]);
  });

  it("is plain where the process ends before it has served", () => {
    const { words, lines, errors } = listening();
    words.message("AUTH is not set.");
    words.ended();
    words.ended();
    expect([lines, errors]).toEqual([[], ["AUTH is not set."]]);
  });

  it("stays JSON when a process that has served does not start again", () => {
    const { words, lines, errors } = listening();
    words.serves();
    words.ended();
    words.message("AUTH is not set.");
    words.ended();
    expect([lines.map((line) => JSON.parse(line)), errors]).toEqual([[entry("AUTH is not set.")], []]);
  });
});
