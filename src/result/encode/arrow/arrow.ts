/**
 * Arrow's stream format: the schema, one record batch per batch of the source, and the end marker, without dictionaries or
 * compression. The writer is loaded when a caller requests the format, and is passed as an argument: a bundler wraps every module
 * that a lazily loaded module imports, and this module shares its imports with the JSON encoder.
 */
import { convertColumns } from "../../conversion/convert.ts";
import { openZone } from "../../text/zone.ts";
import type { ResultStream } from "../../types.ts";
import { type ChunkSource, encodeBytes } from "../byte-stream.ts";
import type { Encoder } from "../encoder.ts";
import { representable } from "./representable.ts";
import { type ArrowField, arrowField } from "./types.ts";
import type * as writer from "./writer.ts";

type Writer = typeof writer;

export const ARROW_STREAM = "application/vnd.apache.arrow.stream";

export async function loadArrowEncoder(): Promise<Encoder> {
  const write = await import("./writer.ts");
  return {
    contentType: ARROW_STREAM,
    lateFailure: "break-off",
    checked: representable,
    begin(stream, options) {
      const source = convertColumns(stream, options.columnDtypes, options.zone);
      const zone = zoneNames(options.zone);
      const fields = source.columns.map(({ name, type }) => arrowField(name, type, zone));
      return encodeBytes(source, new ArrowChunks(source, fields, write), options);
    },
  };
}

class ArrowChunks implements ChunkSource {
  rows = 0;
  readonly #source: ResultStream;
  readonly #fields: readonly ArrowField[];
  readonly #write: Writer;
  #begun = false;

  constructor(source: ResultStream, fields: readonly ArrowField[], write: Writer) {
    this.#source = source;
    this.#fields = fields;
    this.#write = write;
  }

  async next(): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
    if (!this.#begun) {
      this.#begun = true;
      return { bytes: this.#write.schemaMessage(this.#fields), isLast: false };
    }
    for (;;) {
      const next = await this.#source.batches.next();
      if (next.done) return { bytes: this.#write.END_OF_STREAM, isLast: true };
      if (next.value.length === 0) continue;
      const bytes = this.#write.recordBatch(next.value, this.#fields);
      this.rows += next.value.length;
      return { bytes, isLast: false };
    }
  }

  broken(): { readonly bytes: Uint8Array; readonly isOver: boolean } {
    return { bytes: this.#write.BROKEN_MESSAGE, isOver: false };
  }

  stop(): void {
    // No state is held between two batches.
  }
}

/** Readers look up a zone by its name, and some of them compare the case. */
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
