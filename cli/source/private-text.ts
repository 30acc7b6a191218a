/** A text that may be a secret, from a file, the environment or standard input. Arguments never hold one: other users see them. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../exit.ts";
import type { Terminal } from "../terminal.ts";

export interface PrivateText {
  readonly text: string;
  /** Name of the place, for messages. */
  readonly origin: string;
  /** Throws `UsageError` if other users can read the file that holds the text. */
  readonly assertPrivate: () => void;
}

/** `reference`: a file, `env:NAME`, or `-` for standard input. Throws `UsageError`. */
export function readPrivateText(
  reference: string,
  directory: string,
  terminal: Pick<Terminal, "environment" | "input">,
): PrivateText {
  if (reference === "-") {
    return { text: terminal.input(), origin: "the standard input", assertPrivate: () => undefined };
  }
  const [, name] = /^env:(.+)$/.exec(reference) ?? [];
  if (name !== undefined) {
    const text = terminal.environment[name];
    if (text === undefined || text === "") throw new UsageError(`The environment has no ${name}.`);
    return { text, origin: name, assertPrivate: () => undefined };
  }
  const file = resolve(directory, reference.replace(/^file:/, ""));
  const assertPrivate = (): void => {
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      throw new UsageError(`${reference} can be read by other users. Run: chmod 600 ${reference}`);
    }
  };
  return { text: readText(file, reference), origin: reference, assertPrivate };
}

function readText(file: string, shown: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}
