/** The rows of an answer in the format that `--format` names. */
import { loadArrowEncoder } from "../../src/result/encode/arrow/arrow.ts";
import type { Encoder } from "../../src/result/encode/encoder.ts";
import { encoders } from "../../src/result/encode/encoders.ts";
import type { ResultStream } from "../../src/result/types.ts";
import { UsageError } from "../exit.ts";
import type { Terminal } from "../terminal.ts";
import { writeTable } from "./table.ts";

export const FORMATS = ["table", "csv", "json", "jsonl", "arrow"] as const;
export type Format = (typeof FORMATS)[number];

export function formatNamed(name: string): Format {
  const format = FORMATS.find((each) => each === name);
  if (format === undefined) throw new UsageError(`--format ${name} is not a format. Formats: ${FORMATS.join(", ")}.`);
  return format;
}

const ENCODERS: Readonly<Record<Exclude<Format, "table">, () => Promise<Encoder>>> = {
  csv: async () => encoders.csv,
  json: async () => encoders.json,
  jsonl: async () => encoders.ndjson,
  arrow: loadArrowEncoder,
};

/** The number of rows. Rejects with the source's error; what is printed until then cannot be read as a complete answer. */
export async function writeAnswer(
  stream: ResultStream,
  format: Format,
  { isPlain, out }: { readonly isPlain: boolean; readonly out: Terminal["out"] },
): Promise<number> {
  if (format === "table") return writeTable(stream, out, isPlain);
  const encoder = await ENCODERS[format]();
  let rows = 0;
  const answer = encoder.begin(encoder.checked?.(stream) ?? stream, {
    profile: "modern",
    describeFailure: (error) => ({ message: error instanceof Error ? error.message : String(error) }),
    onEnd: (end) => {
      rows = end.rows;
    },
  });
  try {
    for (;;) {
      const bytes = await answer.read();
      if (bytes === undefined) break;
      await out(bytes);
    }
  } catch (error) {
    throw answer.failure?.error ?? error;
  }
  if (answer.failure !== undefined) throw answer.failure.error;
  return rows;
}
