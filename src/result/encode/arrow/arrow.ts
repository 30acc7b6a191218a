/**
 * Arrow's stream format: the schema, a record batch for each batch of the source, and the mark of the end. No dictionaries and
 * no compression. Loaded when a caller asks for it.
 */
import { convertColumns } from "../../conversion/convert.ts";
import { ResultError } from "../../failure.ts";
import { openZone } from "../../text/zone.ts";
import type { Batch, ResultStream } from "../../types.ts";
import { type ChunkSource, encodeBytes } from "../byte-stream.ts";
import type { Encoder } from "../encoder.ts";
import { BROKEN_MESSAGE, END_OF_STREAM, recordBatchMessage, schemaMessage } from "./messages.ts";
import { representable } from "./representable.ts";
import { type ArrowField, arrowField } from "./types.ts";
import { addVector, type Body } from "./vectors.ts";

export const arrowEncoder: Encoder = {
  contentType: "application/vnd.apache.arrow.stream",
  lateFailure: "break-off",
  checked: representable,
  encode(stream, options) {
    const source = convertColumns(stream, options.columnDtypes, options.zone);
    const zone = zoneNames(options.zone);
    const fields = source.columns.map(({ name, type }) => arrowField(name, type, zone));
    return encodeBytes(source, new ArrowChunks(source, fields), options);
  },
};

class ArrowChunks implements ChunkSource {
  rows = 0;
  readonly #source: ResultStream;
  readonly #fields: readonly ArrowField[];
  #begun = false;

  constructor(source: ResultStream, fields: readonly ArrowField[]) {
    this.#source = source;
    this.#fields = fields;
  }

  async next(): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
    if (!this.#begun) {
      this.#begun = true;
      return { bytes: schemaMessage(this.#fields), isLast: false };
    }
    for (;;) {
      const next = await this.#source.batches.next();
      if (next.done) return { bytes: END_OF_STREAM, isLast: true };
      if (next.value.length === 0) continue;
      const bytes = recordBatch(next.value, this.#fields);
      this.rows += next.value.length;
      return { bytes, isLast: false };
    }
  }

  broken(): { readonly bytes: Uint8Array; readonly isOver: boolean } {
    return { bytes: BROKEN_MESSAGE, isOver: false };
  }

  stop(): void {
    // Nothing is held between two batches.
  }
}

function recordBatch(batch: Batch, fields: readonly ArrowField[]): Uint8Array {
  const misfit = batch.find((row) => row.length !== fields.length);
  if (misfit !== undefined) {
    throw new ResultError("VALUE_MISMATCH", `A row has ${misfit.length} values for ${fields.length} columns.`);
  }
  const body: Body = { nodes: [], buffers: [] };
  for (const [index, field] of fields.entries()) {
    const values = batch.map((row) => {
      const value = row[index];
      if (value === undefined) throw new ResultError("VALUE_MISMATCH", "A row lacks a value.");
      return value;
    });
    addVector(body, field, values, field.name);
  }
  return recordBatchMessage(batch.length, body);
}

/** Readers look a zone up by its name, and not all of them overlook its case. */
function zoneNames(displayZone: string | undefined): (own: string) => string {
  const display = displayZone === undefined ? undefined : spelled(displayZone);
  return (own) => display ?? (openZone(own) === undefined ? "UTC" : spelled(own));
}

function spelled(name: string): string {
  const zone = openZone(name);
  if (zone === undefined) throw new RangeError("The display zone is unknown.");
  if (/^[+-]/.test(zone.name)) return zone.name;
  const known = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  return known.toLowerCase() === name.toLowerCase() ? known : zone.name;
}
