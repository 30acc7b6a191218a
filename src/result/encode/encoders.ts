/** The formats an answer can be written in; more join by a line here (decisions W11). */
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

/** In the order in which they are preferred where a caller accepts several alike. */
export const FORMATS: readonly Format[] = [
  here(jsonEncoder),
  here(ndjsonEncoder),
  here(csvEncoder),
  { contentType: ARROW_STREAM, isText: false, load: loadArrowEncoder },
];
