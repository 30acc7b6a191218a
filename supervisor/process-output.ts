/** The output of a supervised process as lines of the log, which are JSON and nothing else. */
import { logLine } from "../src/log-line.ts";

export interface ProcessOutputOptions {
  /** The name of the process, with which sentences begin. */
  readonly process: string;
  readonly writeLine: (line: string) => void;
  readonly writeErrorLine: (line: string) => void;
}

/**
 * Lines of JSON pass as they are. Other text (messages of workerd, of Node and of drivers) becomes a line of JSON. Until the
 * process serves for the first time its messages are held: when it ends instead, they say why, to a person who reads them.
 */
export class ProcessOutput {
  readonly #options: ProcessOutputOptions;
  #held: string[] | undefined = [];

  constructor(options: ProcessOutputOptions) {
    this.#options = options;
  }

  /** Standard output. */
  readonly log = (line: string): void => {
    if (isJson(line)) this.#options.writeLine(line);
    else this.message(line);
  };

  /** Standard error. */
  readonly message = (line: string): void => {
    if (line.trim() === "") return;
    if (this.#held === undefined) this.#options.writeLine(this.#entry(line));
    else this.#held.push(line);
  };

  /** The process serves. */
  serves(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.#options.writeLine(this.#entry(line));
  }

  /** The process has ended. */
  ended(): void {
    for (const line of this.#held ?? []) this.#options.writeErrorLine(line);
    if (this.#held !== undefined) this.#held = [];
  }

  #entry(message: string): string {
    const { process } = this.#options;
    return logLine({ level: "error", event: "message", process, message });
  }
}

function isJson(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
