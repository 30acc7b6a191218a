/** The formats an answer can be written in; more join by a line here (decisions W11). */
import type { Encoder } from "./encoder.ts";
import { jsonEncoder } from "./json.ts";
import { ndjsonEncoder } from "./ndjson.ts";

export const encoders = { json: jsonEncoder, ndjson: ndjsonEncoder } as const satisfies Readonly<
  Record<string, Encoder>
>;
