/** The input and output of a command, injected, so that tests run commands without a process. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface Terminal {
  /** Results. Resolves when the reader has taken them. */
  readonly out: (text: string | Uint8Array) => Promise<void>;
  /** Messages, errors and progress. */
  readonly err: (text: string) => void;
  /** Standard input, read to its end. */
  readonly input: () => string;
  /** Standard input, a line at a time as they arrive. */
  readonly lines: () => AsyncIterable<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** A person reads the messages: progress is shown. */
  readonly isTerminal: boolean;
}

export function processTerminal(): Terminal {
  return {
    out: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      }),
    err: (text) => void process.stderr.write(text),
    input: () => readFileSync(0, "utf8"),
    lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }),
    environment: process.env,
    directory: process.cwd(),
    isTerminal: process.stderr.isTTY === true,
  };
}
