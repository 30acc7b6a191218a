/** The output formats; a new one is one more line (docs/decisions/0007-formats.md). */
import { ARROW_STREAM, loadArrowEncoder } from "./arrow/arrow.ts";
import { csvEncoder } from "./csv.ts";
import type { Encoder } from "./encoder.ts";
import { jsonEncoder } from "./json.ts";
import { ndjsonEncoder } from "./ndjson.ts";

export const encoders = { json: jsonEncoder, ndjson: ndjsonEncoder, csv: csvEncoder } as const satisfies Readonly<
  Record<string, Encoder>
>;

export interface Format {
  readonly contentType: string;
  readonly isText: boolean;
  readonly load: () => Promise<Encoder>;
}

const here = (encoder: Encoder): Format => ({
  contentType: encoder.contentType,
  isText: true,
  load: async () => encoder,
});

/** In order of preference, for callers that accept several formats equally. */
export const FORMATS: readonly Format[] = [
  here(jsonEncoder),
  here(ndjsonEncoder),
  here(csvEncoder),
  { contentType: ARROW_STREAM, isText: false, load: loadArrowEncoder },
];
