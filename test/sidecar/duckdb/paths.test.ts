import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFileRoot } from "../../../sidecar/duckdb/file-root.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import {
  ask,
  calling,
  connectTo,
  failureOf,
  makeWith,
  type Playground,
  playground,
  rowsOf,
  statement,
} from "./fixtures.ts";

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  ground.write("data/a.csv", "x,y\n1,one\n2,two\n");
  ground.write("data/b.csv", "x,y\n3,three\n");
  ground.write("data/deep/c.csv", "x,y\n4,four\n");
  ground.write("data/.hidden.csv", "x,y\n99,hidden\n");
  ground.write("data/a.json", '[{"x": 1, "nested": {"n": [1, 2]}}]');
  ground.write("data/lines.ndjson", '{"x": 7}\n{"x": 8}\n');
  ground.write("data/table.tsv", "x\ty\n5\tfive\n");
  ground.write("data/noextension", "x,y\n6,six\n");
  ground.write("data/star*.csv", "x,y\n10,star\n");
  ground.write("data/starred.csv", "x,y\n11,starred\n");
  ground.write("data/br[a]cket.csv", "x,y\n12,bracket\n");
  ground.write("data/bracket.csv", "x,y\n13,no bracket\n");
  ground.write("data/quo'te\" \\ ümlaut.csv", "x,y\n14,odd\n");
  ground.write("Case/A.csv", "x\n1\n");
  ground.write("Case/a.csv", "x\n2\n");
  ground.write("k=v/part.csv", "x\n15\n");
  ground.write("mixed/good.csv", "x\n1\n");
  ground.write("broken/bad.parquet", "not parquet");
  ground.write("broken/bad.json", '{"a": 1}\n{"a":\n');
  ground.write("broken/unreadable.csv", "x\n1\n");
  chmodSync(join(ground.root, "broken/unreadable.csv"), 0o000);
  ground.link(join(ground.root, "data/a.csv"), "data/link-inside.csv");
  ground.link(join(ground.outside, "secret.csv"), "data/link-outside.txt");
  ground.link(join(ground.outside, "secret.csv"), "mixed/secret.csv");
  ground.link(ground.outside, "linked-directory");
  ground.link(join(ground.outside, "missing.csv"), "data/dangling.txt");
  ground.link("loop", "loop");
  ground.link(ground.root, "data/deep/circle");
  ground.pipe("data/pipe");
  mkdirSync(join(ground.root, "data/directory.csv"));
  // A neighbour whose name begins like the root's.
  mkdirSync(`${ground.root}x`);
  writeFileSync(`${ground.root}x/secret.csv`, "secret\nhunter2\n");
  await makeWith([`COPY (SELECT 1.10::decimal(4,2) AS price) TO '${join(ground.root, "data/t.parquet")}'`]);
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

const read = (path: string): Promise<unknown> =>
  ask(connector, `SELECT * FROM "${path.replaceAll('"', '""')}" ORDER BY ALL`, path).then(({ rows }) => rows);

describe("paths inside the root", () => {
  it.each<[path: string, rows: unknown[]]>([
    [
      "data/a.csv",
      [
        [1n, "one"],
        [2n, "two"],
      ],
    ],
    [
      "/data/a.csv",
      [
        [1n, "one"],
        [2n, "two"],
      ],
    ],
    [
      "./data//./a.csv",
      [
        [1n, "one"],
        [2n, "two"],
      ],
    ],
    ["data/table.tsv", [[5n, "five"]]],
    ["data/a.json", [[1n, [[1n, 2n]]]]],
    ["data/lines.ndjson", [[7n], [8n]]],
    ["data/t.parquet", [["1.10"]]],
    [
      "data/link-inside.csv",
      [
        [1n, "one"],
        [2n, "two"],
      ],
    ],
    ["data/noextension", [[6n, "six"]]],
    ["data/star*.csv", [[10n, "star"]]],
    ["data/br[a]cket.csv", [[12n, "bracket"]]],
    [
      "data/[ab].csv",
      [
        [1n, "one"],
        [2n, "two"],
        [3n, "three"],
      ],
    ],
    [
      "data/[!b].csv",
      [
        [1n, "one"],
        [2n, "two"],
      ],
    ],
    [
      "data/[a-b].csv",
      [
        [1n, "one"],
        [2n, "two"],
        [3n, "three"],
      ],
    ],
    [
      "data/?.csv",
      [
        [1n, "one"],
        [2n, "two"],
        [3n, "three"],
      ],
    ],
    ["data/**/c.csv", [[4n, "four"]]],
    ["d*/d*/*.csv", [[4n, "four"]]],
    ["data/quo'te\" \\ ümlaut.csv", [[14n, "odd"]]],
    // Directories named key=value are columns, as DuckDB has it.
    ["k=v/part.csv", [[15n, "v"]]],
  ])("%s", async (path, rows) => {
    expect(await read(path)).toEqual(rows);
  });

  it("reads absolute paths below the root, also by the operator's own spelling of it", async () => {
    const alias = join(ground.base, "alias");
    symlinkSync(ground.root, alias);
    const spelled = await connectTo(ground, {}, { root: await openFileRoot(`${alias}/`) });
    for (const path of [join(ground.root, "data/b.csv"), join(alias, "data/b.csv"), join(alias, "data/b*.csv")]) {
      expect((await ask(spelled, `SELECT x FROM "${path}" WHERE y = 'three'`, path)).rows).toEqual([[3n]]);
    }
    await spelled.close();
  });

  it("takes the columns of directories below the root only", async () => {
    const settings = await ground.settings();
    const below = await connectTo(ground, {}, { ...settings, root: await openFileRoot(join(ground.root, "k=v")) });
    expect((await ask(below, 'SELECT * FROM "part.csv"', "part.csv")).rows).toEqual([[15n]]);
    await below.close();
  });

  it("uses the connection's format for names that say nothing", async () => {
    const parquet = await connectTo(ground, { format: "parquet" });
    const failure = await failureOf(ask(parquet, 'SELECT * FROM "data/noextension"', "data/noextension"));
    expect(failure).toMatchObject({ reason: "FILE_INVALID", engineCode: "Invalid Input" });
    expect((await ask(parquet, 'SELECT x FROM "data/b.csv"', "data/b.csv")).rows).toEqual([[3n]]);
    await parquet.close();
    const odd = await connectTo(ground, { format: "unsupported" });
    const refused = await failureOf(ask(odd, 'SELECT * FROM "data/noextension"', "data/noextension"));
    expect(refused).toMatchObject({ reason: "FILE_INVALID", message: "Unsupported format: unsupported" });
    await odd.close();
  });

  it("reads a file once that two models name, and joins several", async () => {
    const sql = 'SELECT a.y, b.y FROM "data/a.csv" a, "data/a.csv" a2, "data/b.csv" b WHERE a.x = a2.x ORDER BY 1';
    const { rows } = await ask(connector, sql, "data/a.csv", "data/a.csv", "data/b.csv");
    expect(rows).toEqual([
      ["one", "three"],
      ["two", "three"],
    ]);
  });

  it("refuses names that differ only in case, which DuckDB takes for one", async () => {
    const failure = await failureOf(ask(connector, 'SELECT * FROM "Case/A.csv"', "Case/A.csv", "Case/a.csv"));
    expect(failure).toMatchObject({
      reason: "FILE_INVALID",
      message: '"Case/A.csv" and "Case/a.csv" differ only in case.',
    });
    expect((await ask(connector, 'SELECT * FROM "Case/a.csv"', "Case/a.csv")).rows).toEqual([[2n]]);
  });

  it("refuses a file with a schema: it would not be the one that the SQL names", async () => {
    const reads = [{ model: "m", columns: [], physical: { schema: "main", table: "data/a.csv" } }];
    const work = connector.query(
      { sql: 'SELECT * FROM main."data/a.csv"', columns: [], session: [], reads },
      calling(),
    );
    expect(await failureOf(work)).toMatchObject({ reason: "FILE_INVALID" });
  });
});

describe("paths that lead outside are answered as if nothing was there", () => {
  it.each([
    "../outside/secret.csv",
    "data/../../outside/secret.csv",
    "data/../data/a.csv",
    "..",
    "/etc/passwd",
    "/etc/hostname-that-is-not-there",
    "//etc/passwd",
    "file:///etc/passwd",
    "data/link-outside.txt",
    "data/dangling.txt",
    "linked-directory/secret.csv",
    "linked-directory",
    "linked-directory/*.csv",
    "mixed/*.csv",
    "loop",
    "data/a.csv\0.parquet",
    "\0",
    "data/a.csv/b.csv",
    "data/nothing-*.csv",
    "data/[z-a].csv",
    "/proc/self/environ",
    "/dev/stdin",
    "s3://bucket/data.parquet",
    "http://127.0.0.1/data.csv",
    "a".repeat(5000),
  ])("%j", async (path) => {
    const failure = await failureOf(ask(connector, "SELECT 1", path));
    expect(failure.reason).toBe("FILE_NOT_FOUND");
    expect(failure.message).toBe(`The file "${path.replaceAll("\0", "")}" does not exist.`);
    expect(failure.message + failure.hint).not.toContain(ground.base);
  });

  it("knows its neighbour by more than the beginning of its name", async () => {
    const path = `${ground.root}x/secret.csv`;
    expect(await failureOf(ask(connector, "SELECT 1", path))).toMatchObject({ reason: "FILE_NOT_FOUND" });
  });
});

describe("what is inside and no data", () => {
  it.each<[path: string, message: string]>([
    ["data", '"data" is a directory.'],
    ["/", '"/" is a directory.'],
    ["", '"" is a directory.'],
    ["data/directory.csv", '"data/directory.csv" is a directory.'],
    ["data/pipe", '"data/pipe" is not a regular file.'],
    ["data/p*e", '"data/p*e" is not a regular file.'],
  ])("%j: %s", async (path, message) => {
    expect(await failureOf(ask(connector, "SELECT 1", path))).toMatchObject({ reason: "FILE_INVALID", message });
  });

  it.each([
    [
      "broken/bad.parquet",
      /^"broken\/bad\.parquet" cannot be read: .*'broken\/bad\.parquet' too small to be a Parquet file/,
    ],
    ["broken/bad.json", /^"broken\/bad\.json" cannot be read: .*Malformed JSON in file "broken\/bad\.json"/],
  ])("%s cannot be read", async (path, message) => {
    const failure = await failureOf(ask(connector, "SELECT 1", path));
    expect(failure.reason).toBe("FILE_INVALID");
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain(ground.base);
    expect(failure.position).toBeUndefined();
  });

  it.skipIf(process.getuid?.() === 0)("a file without the right to read it", async () => {
    const failure = await failureOf(ask(connector, "SELECT 1", "broken/unreadable.csv"));
    expect(failure.reason).toBe("FILE_INVALID");
    expect(failure.message).not.toContain(ground.base);
  });
});

describe("files that change while they are read", () => {
  const changes: [what: string, change: (path: string) => void][] = [
    ["grows", (path) => writeFileSync(path, "x\n1\n2\n", { flag: "a" })],
    [
      "is replaced",
      (path) => {
        writeFileSync(`${path}.new`, "x\n5\n");
        renameSync(`${path}.new`, path);
      },
    ],
    ["is touched", (path) => utimesSync(path, new Date(0), new Date(0))],
  ];
  it.each(changes)("a file that %s makes the answer fail before it looks complete", async (_, change) => {
    ground.write("changing.csv", "x\n1\n");
    const stream = await connector.query(statement('SELECT * FROM "changing.csv"', "changing.csv"), calling());
    change(join(ground.root, "changing.csv"));
    expect(await failureOf(rowsOf(stream))).toMatchObject({
      reason: "SOURCE_ERROR",
      message: '"changing.csv" changed while it was being read.',
    });
  });
});

describe("the root itself", () => {
  it.each([["missing"], ["data/a.csv"]])("%s is refused at the start", async (path) => {
    await expect(openFileRoot(join(ground.root, path))).rejects.toThrow(/^FILE_ROOT is not a readable directory/);
  });

  it("is taken out of texts, and names that only begin like it are not", async () => {
    const root = await openFileRoot(ground.root);
    const { base } = ground;
    expect(root.hide(`IO Error: "${base}/root/a/b.csv" in ${base}/root, not ${base}/rootx/c or ${base}/root-2.`)).toBe(
      `IO Error: "a/b.csv" in ., not ${base}/rootx/c or ${base}/root-2.`,
    );
  });
});
