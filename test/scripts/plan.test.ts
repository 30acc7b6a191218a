import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../scripts/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";

const QUESTION = "SELECT status, count(*) AS n FROM orders WHERE is_large GROUP BY status ORDER BY n DESC";

const sectionsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(/^-- /m).flatMap((part) => {
      const [title = "", ...lines] = part.split("\n");
      return title === "" ? [] : [[title, lines.join("\n").trim()]];
    }),
  );

describe("npm run plan", () => {
  it("prints every form of a statement over the bundled manifest", () => {
    const { text, code } = planCommand(["--source", "mysql", "--sql", QUESTION]);
    expect({ code, ...sectionsOf(text) }).toEqual({
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

  it.each(DATA_SOURCES)("prints five forms for %s", (source) => {
    const { text, code } = planCommand(["--source", source, "--sql", QUESTION, "--tree"]);
    expect(code).toBe(0);
    expect(text).not.toContain("no text in the input language");
    expect(Object.keys(sectionsOf(text))).toEqual([
      "parsed",
      "bound",
      "expanded",
      "lowered",
      expect.stringMatching(/^printed for /),
      "columns",
    ]);
  });

  it("prints trees with types on request", () => {
    const { text } = planCommand(["--sql", "SELECT upper(status) AS s FROM orders", "--tree"]);
    expect(text).toContain("call upper : text\n        bound orders.status : text");
  });

  it.each<[what: string, args: readonly string[], code: number, text: RegExp]>([
    ["no statement", [], 2, /^--sql is missing\.\n\nUsage: /],
    [
      "an unknown source",
      ["--sql", "SELECT 1", "--source", "mysq"],
      2,
      /^--source mysq is not a data source\. Did you mean mysql\?/,
    ],
    ["an unknown option", ["--query", "SELECT 1"], 2, /^Unknown option '--query'/],
    ["a property without a value", ["--sql", "SELECT 1", "--property", "x"], 2, /^--property x is not NAME=VALUE\./],
    ["a missing manifest", ["--sql", "SELECT 1", "--manifest", "absent.json"], 2, /^ENOENT/],
    ["a file that is no manifest", ["--sql", "SELECT 1", "--manifest", "package.json"], 2, /^package\.json: MANIFEST_/],
    ["a syntax error", ["--sql", "SELEC 1"], 1, /-- error\nUNSUPPORTED_STATEMENT|-- error\nSYNTAX/],
    [
      "an unknown column",
      ["--sql", "SELECT statuz FROM orders"],
      1,
      /-- parsed\n[\s\S]*-- error\nCOLUMN_NOT_FOUND: [\s\S]*\n {2}at 8: statuz\n/,
    ],
  ])("%s is a clear error", (_, args, code, expected) => {
    const outcome = planCommand(args);
    expect(outcome.text).toMatch(expected);
    expect(outcome.code).toBe(code);
  });

  it("is a command of package.json", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    expect(scripts["plan"]).toMatch(/ scripts\/plan\.ts$/);
  });
});
