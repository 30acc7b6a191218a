/** JSON files under the name that a plan has for them: records are read here, for the engine's reader is an extension. */
import { concatenated } from "../../result/bytes.ts";
import { arrowField } from "../../result/encode/arrow/types.ts";
import { END_OF_STREAM, recordBatch, schemaMessage } from "../../result/encode/arrow/writer.ts";
import { sqlIdentifier } from "../duckdb/sql-text.ts";
import { Beyond } from "../files/beyond.ts";
import { isPartitioned } from "../files/formats.ts";
import { type JsonObject, recordsOf } from "../files/json/scanner.ts";
import { columnsOf, type JsonColumn, rowOf } from "../files/json/shape.ts";
import { plainBytes } from "./file-bytes.ts";
import { beyond, needsSidecar } from "./needs-sidecar.ts";
import type { FoundFile, View } from "./view.ts";

export interface JsonView {
  readonly columns: readonly JsonColumn[];
  readonly texts: readonly JsonText[];
}

interface JsonText {
  readonly name: string;
  readonly text: string;
}

/** Of all files of a statement, unpacked: what is made of them is as much again. */
export const MOST_JSON_BYTES = 8 * 1024 * 1024;
/** DuckDB tells types by so many records, of so many files. */
const SNIFFED_RECORDS = 20_480;
const SNIFFED_FILES = 32;
/** Where there are more, these have to tell the same as all: then whatever DuckDB looks at does. */
const SURE_RECORDS = 1_000;
const ROWS_AT_ONCE = 2_048;

/** `take` is told how many bytes are read, and fails where there is no room. Fails with `NEEDS_SIDECAR` for what is not read here. */
export async function jsonView(
  { files, declared }: Pick<View, "files" | "declared">,
  take: (bytes: number) => void,
  signal: AbortSignal,
): Promise<JsonView> {
  const [first] = files;
  if (declared !== undefined) throw needsSidecar("The files Worker reads no JSON under access rules.");
  const partitioned = files.find(({ name }) => isPartitioned(name));
  if (partitioned !== undefined) throw beyond(partitioned.name, "the columns of its path");
  const texts: JsonText[] = [];
  for (const file of files) texts.push({ name: file.name, text: await textOf(file, take, signal) });
  try {
    return { columns: sureColumns(texts), texts };
  } catch (error) {
    throw told(first?.name ?? "", error);
  }
}

function sureColumns(texts: readonly JsonText[]): readonly JsonColumn[] {
  let count = 0;
  const beginning: JsonObject[] = [];
  const columns = columnsOf(
    (function* () {
      for (const [index, { name, text }] of texts.entries()) {
        try {
          for (const record of recordsOf(text)) {
            count++;
            if (index === 0 && beginning.length < SURE_RECORDS) beginning.push(record);
            yield record;
          }
        } catch (error) {
          throw told(name, error);
        }
      }
    })(),
  );
  if (count <= SNIFFED_RECORDS && texts.length <= SNIFFED_FILES) return columns;
  const signature = (of: readonly JsonColumn[]) => of.map(({ name, sql }) => `${sqlIdentifier(name)} ${sql}`).join();
  if (signature(columnsOf(beginning)) !== signature(columns))
    throw new Beyond("records that differ from those of its beginning");
  return columns;
}

/** A table of the engine: `name` is its own. */
export function createJsonTable(name: string, { columns }: JsonView): string {
  return `CREATE TABLE ${sqlIdentifier(name)} (${columns.map(({ name: own, sql }) => `${sqlIdentifier(own)} ${sql}`).join(", ")})`;
}

/** Streams of Arrow, each whole, of rows one after the other. */
export function* jsonRows({ columns, texts }: JsonView): Generator<Uint8Array, void, undefined> {
  const fields = columns.map(({ name, logical }) => arrowField(name, logical, (own) => own));
  const schema = schemaMessage(fields);
  for (const { name, text } of texts) {
    try {
      let rows: ReturnType<typeof rowOf>[] = [];
      for (const record of recordsOf(text)) {
        rows.push(rowOf(record, columns));
        if (rows.length < ROWS_AT_ONCE) continue;
        yield concatenated([schema, recordBatch(rows, fields), END_OF_STREAM]);
        rows = [];
      }
      if (rows.length > 0) yield concatenated([schema, recordBatch(rows, fields), END_OF_STREAM]);
    } catch (error) {
      throw told(name, error);
    }
  }
}

async function textOf(file: FoundFile, take: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of plainBytes(file, signal)) {
    signal.throwIfAborted();
    take(part.length);
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(concatenated(parts));
  } catch {
    throw beyond(file.name, "texts that are not UTF-8");
  }
}

const told = (name: string, error: unknown): unknown => (error instanceof Beyond ? beyond(name, error.message) : error);
