/** Options for CSV files of connections and models: the same rows, or the same refusal, by native DuckDB and by its WASM. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DeclaredColumn, SqlType } from "../../../src/planner/plan.ts";
import { calling } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, openBoth, outcomeOf } from "../duckdb-wasm/both-engines.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
const wide = (text: string): Buffer => Buffer.from(text, "utf16le");
const MARK = Buffer.from([0xff, 0xfe]);

const GERMAN = "stadt;n\nKöln;1\nZürich;2\n";
const long = `n;t\n${Array.from({ length: 40_000 }, (_, i) => `${i};"é€漢;${"ж".repeat(i % 9)}"`).join("\n")}\n`;

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "latin.csv": latin(GERMAN),
  "latin.csv.gz": gzipSync(latin(GERMAN)),
  "windows.csv": Buffer.concat([latin("stadt;n\nx"), Buffer.from([0x80]), latin(";1\n")]),
  "wide.csv": Buffer.concat([MARK, wide(GERMAN)]),
  "unmarked.csv": wide(GERMAN),
  "long-wide.csv": Buffer.concat([MARK, wide(long)]),
  "long.csv": long,
  "big-endian.csv": Buffer.concat([MARK, wide(GERMAN)]).swap16(),
  "half.csv": Buffer.concat([MARK, wide(GERMAN), Buffer.from([0x33])]),
  "wide.csv.gz": gzipSync(Buffer.concat([MARK, wide(GERMAN)])),
  "emoji.csv": Buffer.concat([MARK, wide("stadt;n\n😀;1\n")]),
  "tilde.csv": "stadt~n\n'a~b'~1\n",
  "escaped.csv": 'stadt;n\n"a\\"b";1\n',
  "unquoted.csv": 'stadt;n\n5" pipe;1\n',
  "headless.csv": "a;1\nb;2\n",
  "headed.csv": "column0;column1\na;1\n",
  "none.csv": "stadt;n\nNA;NA\n;3\n",
  "days.csv": "d;t\n31/12/2024;31.12.2024 10:30\n01/02/2024;\n",
  "word-days.csv": "d;s\n31/12/2024;x\ninfinity;y\n",
  "word-texts.csv": "d;s\n31/12/2024;infinity\n",
  "zoned.csv": "z\n31/12/2024 10:00\n",
};

const INTEGER: SqlType = { kind: "integer", bits: 32 };
const TEXT: SqlType = { kind: "text" };
const columns = (types: Readonly<Record<string, SqlType>>): readonly DeclaredColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
const CITIES = columns({ stadt: TEXT, n: INTEGER });
const NUMBERED = columns({ column0: TEXT, column1: INTEGER });
const DAYS = columns({ d: { kind: "date" }, t: { kind: "timestamp", zoned: false } });

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth(FILES);
}, 60_000);
afterAll(() => both.close());

type Options = Readonly<Record<string, unknown>>;

async function eachOf(path: string, csv: Options, declared: readonly DeclaredColumn[] | undefined, sql?: string) {
  const question = { sql: sql ?? `SELECT * FROM "${path}"`, csv, ...(declared && { declared }) };
  return [await outcomeOf(both.native, path, question), await outcomeOf(both.wasm, path, question)] as const;
}

describe("rows", () => {
  const cities = [
    ["Köln", 1],
    ["Zürich", 2],
  ];
  it.each<[path: string, csv: Options, declared: readonly DeclaredColumn[], rows: readonly unknown[]]>([
    ["latin.csv", { encoding: "latin-1" }, CITIES, cities],
    ["latin.csv", { encoding: "LATIN1", delimiter: ";", header: true }, CITIES, cities],
    ["latin.csv.gz", { encoding: "latin-1" }, CITIES, cities],
    ["wide.csv", { encoding: "utf-16" }, CITIES, cities],
    ["unmarked.csv", { encoding: "utf-16" }, CITIES, cities],
    ["tilde.csv", { delimiter: "~", quote: "'" }, CITIES, [["a~b", 1]]],
    ["escaped.csv", { escape: "\\" }, CITIES, [['a"b', 1]]],
    ["unquoted.csv", { quote: "" }, CITIES, [['5" pipe', 1]]],
    [
      "headless.csv",
      { header: false, delimiter: ";" },
      NUMBERED,
      [
        ["a", 1],
        ["b", 2],
      ],
    ],
    [
      "none.csv",
      { nullText: "NA" },
      CITIES,
      [
        [null, null],
        [null, 3],
      ],
    ],
    [
      "days.csv",
      { dateFormat: "%d/%m/%Y", timestampFormat: "%d.%m.%Y %H:%M" },
      DAYS,
      [
        [20_088, 1_735_641_000_000_000n],
        [19_754, null],
      ],
    ],
    ["word-texts.csv", { dateFormat: "%d/%m/%Y" }, columns({ d: { kind: "date" }, s: TEXT }), [[20_088, "infinity"]]],
  ])("of %s by %o", async (path, csv, declared, rows) => {
    const [native, wasm] = await eachOf(path, csv, declared);
    expect(native).toMatchObject({ rows });
    expect(wasm).toEqual(native);
    if (path === "none.csv" || path.includes("day") || path === "word-texts.csv") return;
    const inferred = await eachOf(path, csv, undefined);
    expect(inferred[0].rows?.map(([text, n]) => [text, Number(n)])).toEqual(rows);
    // Finding out the types of such a file takes more memory than the files Worker has.
    if (csv["encoding"] !== undefined && inferred[1].reason === "NEEDS_SIDECAR") return;
    expect(inferred[1]).toEqual(inferred[0]);
  });

  it("of a long file in UTF-16 are those of the file in UTF-8", async () => {
    const sql = (path: string): string => `SELECT count(*), sum(n), sum(hash(t) % 1000) FROM "${path}"`;
    const declared = columns({ n: INTEGER, t: TEXT });
    const [native, wasm] = await eachOf("long-wide.csv", { encoding: "utf-16" }, declared, sql("long-wide.csv"));
    expect(native).toEqual((await eachOf("long.csv", {}, declared, sql("long.csv")))[0]);
    expect(wasm).toEqual(native);
  });
});

describe("refusals", () => {
  it.each<[path: string, csv: Options, declared: readonly DeclaredColumn[] | undefined, message: RegExp]>([
    ["latin.csv", {}, CITIES, /^(Line 2 of "latin.csv" is not UTF-8\.|.*not utf-8.*)$/],
    ["windows.csv", { encoding: "latin-1" }, CITIES, /does not allow/],
    ["big-endian.csv", { encoding: "utf-16" }, CITIES, /"big-endian.csv" is big-endian UTF-16/],
    ["big-endian.csv", { encoding: "utf-16" }, undefined, /"big-endian.csv" is big-endian UTF-16/],
    ["half.csv", { encoding: "utf-16" }, CITIES, /"half.csv" is not UTF-16/],
    ["half.csv", { encoding: "utf-16" }, undefined, /"half.csv" is not UTF-16/],
    ["wide.csv.gz", { encoding: "utf-16" }, CITIES, /compressed UTF-16/],
    ["emoji.csv", { encoding: "utf-16" }, CITIES, /does not allow/],
    ["headless.csv", { header: true }, CITIES, /names no column/],
    ["headed.csv", { header: false }, NUMBERED, /"headed.csv" has no header/],
    ["word-days.csv", { dateFormat: "%d/%m/%Y" }, columns({ d: { kind: "date" }, s: TEXT }), /"infinity" or "epoch"/],
    [
      "zoned.csv",
      { timestampFormat: "%d/%m/%Y %H:%M" },
      columns({ z: { kind: "timestamp", zoned: true } }),
      /time zone/,
    ],
    ["latin.csv", { encoding: "ebcdic" }, CITIES, /properties\.csv\.encoding of the model "model": must be one of/],
    [
      "latin.csv",
      { encodng: "latin-1" },
      CITIES,
      /properties\.csv of the model "model": the option "encodng" is unknown/,
    ],
    ["latin.csv", { delimiter: '"' }, CITIES, /The CSV option delimiter is the same character/],
    ["latin.csv", { delimiter: "ab" }, CITIES, /properties\.csv\.delimiter/],
    ["latin.csv", { nullText: "a;b", delimiter: ";" }, CITIES, /nullText/],
  ])("of %s by %o", async (path, csv, declared, message) => {
    for (const outcome of await eachOf(path, csv, declared)) {
      expect(outcome).toMatchObject({
        reason: expect.stringMatching(/^(FILE_INVALID|SOURCE_ERROR)$/),
        message: expect.stringMatching(message),
      });
    }
  });
});

it("uses the connection's options where the model has none", async () => {
  const { native, wasm, close } = await openBoth({ "a.csv": latin("stadt~n\nKöln~1\n") }, "csv", {
    encoding: "latin-1",
    delimiter: ";",
  });
  try {
    for (const connector of [native, wasm]) {
      const question = { declared: CITIES, csv: { delimiter: "~" } };
      expect(await outcomeOf(connector, "a.csv", question)).toMatchObject({ rows: [["Köln", 1]] });
    }
  } finally {
    await close();
  }
}, 60_000);

it("describes files of a listing by the connection's options", async () => {
  const { native, close } = await openBoth({ "a.csv": latin("größe~n\nx~1\n") }, "csv", {
    encoding: "latin-1",
    delimiter: "~",
  });
  try {
    const request = { kind: "tables", filter: {}, limit: undefined } as const;
    const tables = await native.catalog(request, calling());
    expect(tables.map(({ columns: found }) => found.map(({ name }) => name))).toEqual([["größe", "n"]]);
  } finally {
    await close();
  }
}, 60_000);
