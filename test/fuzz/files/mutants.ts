/**
 * One file from one seed, and what is asked of it. Two of three are Parquet: files of DuckDB's own writer with damaged bytes, and files
 * written byte by byte whose levels and values contradict each other. The others are CSV and JSON, plain or compressed.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { randomJson } from "../../connectors/duckdb-wasm/generated-json.ts";
import { type Random, random } from "../../planner/syntax/random.ts";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { damaged } from "./damage.ts";
import { randomParquet } from "./random-parquet.ts";

export interface Mutant {
  readonly origin: "written Parquet" | "damaged Parquet" | "CSV" | "JSON" | "gzip" | "zstd";
  /** Below the root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sql: string;
}

/** Files that DuckDB writes before they are damaged: types, nestings, encodings, compressions. */
const BASES: readonly (readonly [columns: readonly string[], options: string])[] = [
  [["i", "i % 3 = 0", "'v' || i % 10", "(i / 7)::double"], "COMPRESSION uncompressed"],
  [
    ["(i % 100)::decimal(4,2)", "(i / 1000)::decimal(9,9)", "(i::hugeint * 1234567890123456789)::decimal(38,3)"],
    "COMPRESSION uncompressed",
  ],
  [
    ["time '00:00:00' + to_microseconds(i * 7777777)", "date '2024-01-01' + i::int", "make_timestamp_ns(i * 999)"],
    "COMPRESSION uncompressed",
  ],
  [["CASE WHEN i % 4 = 0 THEN [] ELSE [i, NULL, i * 2] END", "[[i::varchar], NULL, []]"], "COMPRESSION uncompressed"],
  [
    ["[{'a': i, 'b': 't' || i}, NULL]", "{'a': {'b': CASE WHEN i % 3 > 0 THEN i END}, 'c': [i]}"],
    "COMPRESSION uncompressed",
  ],
  [["map {'k' || i: i % 2 = 0, 'l': NULL}", "map {i: [i]}"], "COMPRESSION uncompressed"],
  [["map {i: map {i: {'a': i}}}", "[map {i: true}, NULL]"], "COMPRESSION uncompressed, PARQUET_VERSION v2"],
  [["i", "'text ' || i", "[i, i + 1]"], "COMPRESSION uncompressed, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1"],
  [["i % 5", "'long text of dictionary ' || i % 3", "CASE WHEN i % 7 > 3 THEN i % 2 = 0 END"], "COMPRESSION snappy"],
  [["i", "repeat('ab', i::int)", "[i::float]"], "COMPRESSION gzip"],
  [["i", "repeat('ab', i::int)", "{'a': i::tinyint}"], "COMPRESSION zstd"],
  [["i", "repeat('ab', i::int)", "md5(i::varchar)::uuid"], "COMPRESSION lz4_raw"],
  [["i", "repeat('ab', i::int)", "to_days(i::int)"], "COMPRESSION brotli, PARQUET_VERSION v2"],
];

const ROWS = 60;

const CSV = [
  'a,b,c\n1,x,2024-01-01\n2,"y,""z",2024-02-03\n3,,\n',
  "a;b\n1;2,5\n3;4,5\n",
  `n,t\n${Array.from({ length: 200 }, (_, i) => `${i},${"x".repeat(i % 9)}`).join("\n")}\n`,
  "t,b,d\n10:00:00,true,1.50\n23:59:59,false,-0.25\n24:00:00,,\n",
  'a\r\nü😀\r\n"line\r\nbreak"\r\n',
] as const;

const MUTANT = "mutant";

/** Writes the undamaged files below `root`. */
export async function prepareBases(root: string): Promise<(seed: number) => Mutant> {
  const directory = join(root, "bases");
  mkdirSync(directory, { recursive: true });
  const paths = BASES.map((_, index) => join(directory, `${index}.parquet`));
  await makeWith([
    "SET threads = 1",
    ...BASES.map(([columns, options], index) => {
      const selected = columns.map((column, at) => `${column} AS c${at}`).join(", ");
      return `COPY (SELECT ${selected} FROM range(${ROWS}) t(i)) TO '${paths[index]}' (FORMAT parquet, ${options})`;
    }),
  ]);
  const bases = paths.map((path) => readFileSync(path));
  return (seed) => {
    const source = random(seed);
    if (seed % 3 === 2) return text(seed, source);
    const path = `${MUTANT}.parquet`;
    if (source.chance(0.4)) {
      return { origin: "written Parquet", path, bytes: randomParquet(seed), sql: everything(path) };
    }
    const index = source.below(bases.length);
    const bytes = bases[index] ?? new Uint8Array();
    const columns = BASES[index]?.[0] ?? [];
    return {
      origin: "damaged Parquet",
      path,
      bytes: damaged(bytes, footerFirst(bytes, source), source),
      sql: source.chance(0.5) ? everything(path) : one(path, `c${source.below(columns.length)}`),
    };
  };
}

/** A third of the damage is in the footer, which is a small part of a file. */
function footerFirst(bytes: Uint8Array, { chance }: Random): number {
  if (!chance(1 / 3)) return 4;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true);
  return bytes.length - 8 - length;
}

function text(seed: number, source: Random): Mutant {
  const { pick, chance } = source;
  const isCsv = chance(0.5);
  const plain = Buffer.from(isCsv ? pick(CSV) : randomJson(seed));
  const packing = pick(["", "", ".gz", ".zst"] as const);
  const path = `${MUTANT}.${isCsv ? "csv" : "json"}${packing}`;
  const content = chance(0.5) ? damaged(plain, 0, source) : plain;
  const sql = everything(path);
  if (packing === "") return { origin: isCsv ? "CSV" : "JSON", path, bytes: content, sql };
  const packed = packing === ".gz" ? gzipSync(content) : zstdCompressSync(content);
  const bytes = chance(0.8) ? damaged(packed, 0, source) : packed;
  return { origin: packing === ".gz" ? "gzip" : "zstd", path, bytes, sql };
}

/** Values, and their texts as the engine writes them. */
const everything = (path: string): string => `SELECT *, COLUMNS(*)::VARCHAR FROM "${path}"`;
const one = (path: string, column: string): string =>
  `SELECT ${column}, ${column}::VARCHAR, count(*) OVER () FROM "${path}"`;
