import { describe, expect, it } from "vitest";
import { DATA_SOURCES } from "../../../src/service/data-sources.ts";
import { siskin } from "../../support/terminal.ts";

const QUESTION = "SELECT status, count(*) AS n FROM orders WHERE is_large GROUP BY status ORDER BY n DESC";
const MANIFEST = ["--manifest", "examples/tpch/manifest.json"];

const sectionsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(/^-- /m).flatMap((part) => {
      const [title = "", ...lines] = part.split("\n");
      return title === "" ? [] : [[title, lines.join("\n").trim()]];
    }),
  );

describe("siskin plan", () => {
  it("prints the SQL of the source alone", async () => {
    const { code, out, err } = await siskin(["plan", ...MANIFEST, "--source", "mysql", "SELECT id FROM orders"]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: "SELECT `orders`.`o_orderkey` AS `id` FROM `tpch/orders.parquet` AS `orders`\n",
      err: "",
    });
  });

  it("takes the values of $1 and $2", async () => {
    const args = ["plan", ...MANIFEST, "--source", "postgres"];
    const sql = "SELECT id FROM orders WHERE status = $1 AND id > $2";
    const { code, out } = await siskin([...args, "--parameters", '["o\'pen", 7]', sql]);
    expect([code, out]).toEqual([0, expect.stringMatching(/'o''pen' AND .*> 7/)]);
    for (const parameters of ["{}", "[1", "7"]) {
      const wrong = await siskin([...args, "--parameters", parameters, sql]);
      expect([wrong.code !== 0, wrong.err]).toEqual([true, expect.stringContaining("--parameters is a list in JSON")]);
    }
    const missing = await siskin([...args, "--parameters", '["open"]', sql]);
    expect([missing.code !== 0, missing.err]).toEqual([true, expect.stringContaining("$2")]);
  });

  it("prints every form of a statement with --steps", async () => {
    const { out, code } = await siskin(["plan", ...MANIFEST, "--steps", "--source", "mysql", QUESTION]);
    expect({ code, ...sectionsOf(out) }).toEqual({
      code: 0,
      parsed: "SELECT status, count(*) AS n FROM orders WHERE is_large GROUP BY status ORDER BY n DESC",
      bound:
        "SELECT orders.status AS status, count(*) AS n FROM orders WHERE orders.is_large GROUP BY orders.status ORDER BY count(*) DESC",
      expanded:
        'SELECT orders.status AS status, count(*) AS n FROM (SELECT _b.o_totalprice > 200000 AS is_large, _b.o_orderstatus AS status FROM "tpch/orders.parquet" AS _b) AS orders WHERE orders.is_large GROUP BY orders.status ORDER BY count(*) DESC',
      lowered: expect.stringContaining('GROUP BY orders.status COLLATE "code points"'),
      "printed for mysql": expect.stringContaining("FROM `tpch/orders.parquet` AS `_b`"),
      columns: "status text\nn bigint NOT NULL",
    });
  });

  it.each(DATA_SOURCES)("prints five forms for %s", async (source) => {
    const { out, code } = await siskin(["plan", ...MANIFEST, "--source", source, "--tree", QUESTION]);
    expect(code).toBe(0);
    expect(out).not.toContain("no text in the input language");
    expect(Object.keys(sectionsOf(out))).toEqual([
      "parsed",
      "bound",
      "expanded",
      "lowered",
      expect.stringMatching(/^printed for /),
      "columns",
    ]);
  });

  it("prints trees with types on request", async () => {
    const args = ["plan", ...MANIFEST, "--source", "postgres", "--tree", "SELECT upper(status) AS s FROM orders"];
    const { out } = await siskin(args);
    expect(out).toContain("call upper : text\n        bound orders.status : text");
  });

  it.each<[what: string, args: readonly string[], code: number, err: RegExp]>([
    ["no statement", [], 2, /^error: Give a statement\.\n/],
    ["two statements", ["SELECT 1", "SELECT 2"], 2, /^error: 2 arguments are given instead of a statement/],
    [
      "an unknown source",
      ["SELECT 1", "--source", "mysq"],
      2,
      /^error: mysq is not a data source\. Did you mean mysql\?/,
    ],
    [
      "an unknown option",
      ["SELECT 1", "--sourc", "mysql"],
      2,
      /^error: --sourc is not an option\. Did you mean --source\?/,
    ],
    [
      "a property without a value",
      ["SELECT 1", "--source", "mysql", "--property", "x"],
      2,
      /^error: --property x is not NAME=VALUE\./,
    ],
    ["a missing manifest", ["SELECT 1", "--manifest", "absent.json"], 2, /^error: absent\.json does not exist\./],
    [
      "a file that is no manifest",
      ["SELECT 1", "--source", "mysql", "--manifest", "package.json"],
      1,
      /^error: MANIFEST_/,
    ],
    ["a syntax error", ["SELEC 1", "--source", "mysql"], 1, /^query:1:1: error: (?:UNSUPPORTED_STATEMENT|SYNTAX)/],
    [
      "an unknown column",
      ["SELECT id,\n  statuz FROM orders", "--source", "mysql"],
      1,
      /^query:2:3: error: COLUMN_NOT_FOUND: [^\n]*\n 2 \| {3}statuz FROM orders\n {3}\| {3}\^{6}\n/,
    ],
  ])("%s is a clear error", async (_, args, code, expected) => {
    const outcome = await siskin(["plan", ...(args.includes("--manifest") ? [] : MANIFEST), ...args]);
    expect(outcome.err).toMatch(expected);
    expect(outcome.code).toBe(code);
  });
});
