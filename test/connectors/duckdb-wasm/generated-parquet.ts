/** Files over types, encodings, compressions, patterns of NULL and odd names, from a seed; by DuckDB's own writer. */
import { random } from "../../planner/syntax/random.ts";

export interface GeneratedFile {
  readonly path: string;
  /** Names of its columns. */
  readonly columns: readonly string[];
  /** The statement that writes it, below `root`. */
  copy(root: string): string;
  /** The same rows in another file. */
  copyTo(root: string, path: string, options: readonly string[]): string;
}

/** Expressions over the number `i` of a row, each of its own type. */
const VALUES: readonly string[] = [
  "(i % 256 - 128)::tinyint",
  "(i * 37 % 65536 - 32768)::smallint",
  "(i * 7919 - 100000)::integer",
  "(i::hugeint * 922337203685477 - 9223372036854775807)::bigint",
  "(i % 256)::utinyint",
  "(i * 11 % 65536)::usmallint",
  "(4294967295 - i)::uinteger",
  "18446744073709551615::ubigint - i::ubigint",
  "i % 3 = 0",
  "(i / 7)::float",
  "CASE i % 5 WHEN 0 THEN 'nan' WHEN 1 THEN '-inf' WHEN 2 THEN '-0.0' WHEN 3 THEN '1e-300' ELSE '1.1' END::double",
  "(i % 100 - 50)::decimal(4,2)",
  "(i / 7)::decimal(9,6)",
  "(i * 1001)::decimal(18,3)",
  "(i::hugeint * 12345678901234567890123456789)::decimal(38,3)",
  "'v' || i % 10",
  "repeat('ü😀', (i % 7)::int) || i",
  "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN chr(0) ELSE 'text of more than twelve letters ' || i END",
  "encode('b' || i) || '\\x00\\xFF'::blob",
  "date '1969-12-01' + (i % 3000)::int",
  "date '0001-01-01' + (i * 1000)::int",
  "time '00:00:00' + to_microseconds(i * 7777777 % 86400000000)",
  "timestamp '1969-12-31 23:59:59.999999' + to_microseconds(i * 123456789)",
  "(timestamp '1960-01-01' + to_milliseconds(i * 1001))::timestamp_ms",
  "(timestamp '1969-12-31 23:59:59' + to_seconds(i))::timestamp_s",
  "make_timestamp_ns(i * 1234567891 - 5000000001)",
  "(timestamp '2024-01-01' + to_microseconds(i * 999999))::timestamptz",
  "to_months((i % 30)::int) + to_days((i % 40)::int) + to_milliseconds(i * 1001)",
  "md5(i::varchar)::uuid",
  "('x' || i % 3)::enum('x0', 'x1', 'x2')",
  "CASE WHEN i % 4 = 0 THEN [] ELSE [i, NULL, i * 2] END",
  "[[i::varchar], NULL, [], ['a', NULL]]",
  "{'a': i, 'b ü': CASE WHEN i % 2 = 0 THEN 'text' || i END}",
  "[{'n': i % 5, 'l': [i / 2, NULL]}, NULL]",
  "map {'k' || i: i, 'l': NULL}",
  "map {i: {'x': [i]}}",
  "{'m': {'n': {'o': CASE WHEN i % 3 > 0 THEN i END}}}",
  "[date '2024-01-01' + (i % 9)::int, NULL]",
  "[(i / 3)::decimal(20,4)]",
  "[i % 2 = 0, NULL, true]",
];

const NULLS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `CASE WHEN i % 2 = 0 THEN ${value} END`,
  (value) => `CASE WHEN i < 100 THEN NULL ELSE ${value} END`,
  (value) => `CASE WHEN i % 97 = 5 THEN ${value} END`,
  (value) => `CASE WHEN i < 0 THEN ${value} END`,
];

const NAMES = ["n", "Größe", "a b", 'q"uote', "select", "x.y", "日本", "1", "'", "c-d", "e%2F", "\\", "f\ng"] as const;
const CODECS = ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"] as const;

export function generatedFile(seed: number): GeneratedFile {
  const { pick, below, chance } = random(seed);
  const rows = pick([0, 1, 7, 1000, 2049, 5000]);
  const count = 1 + below(5);
  // Every type comes up in turn, and others by chance.
  const values = Array.from({ length: count }, (_, i) =>
    i === 0 ? (VALUES[seed % VALUES.length] ?? "i") : pick(VALUES),
  );
  const columns = values.map((_, i) => `${pick(NAMES)}${i}`);
  const selected = values.map((value, i) => `${pick(NULLS)(value)} AS "${columns[i]?.replaceAll('"', '""')}"`);
  const options = [
    "FORMAT parquet",
    `COMPRESSION ${pick(CODECS)}`,
    `PARQUET_VERSION ${pick(["v1", "v2"])}`,
    `ROW_GROUP_SIZE ${pick([2048, 4096, 100_000])}`,
    ...(chance(0.3) ? ["DICTIONARY_SIZE_LIMIT 1"] : []),
  ];
  const path = `generated/f ${seed}%.parquet`;
  const copyTo: GeneratedFile["copyTo"] = (root, to, as) =>
    `COPY (SELECT ${selected.join(", ")} FROM range(${rows}) t(i)) TO '${root}/${to}' (${as.join(", ")})`;
  return { path, columns, copy: (root) => copyTo(root, path, options), copyTo };
}
