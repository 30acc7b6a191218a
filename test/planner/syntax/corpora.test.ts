/** The queries of the acceptance cases: they parse, and what is printed means the same and prints the same again. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorOf, printed, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

interface Case {
  readonly id: string;
  readonly sql?: string;
}

function cases(file: string, member: string): readonly Case[] {
  const text = readFileSync(new URL(`../../cases/${file}`, import.meta.url), "utf8");
  const content = JSON.parse(text) as { readonly [name: string]: readonly Case[] };
  return content[member] ?? [];
}

/** Planner cases that are no queries, and what they are refused for. */
const REFUSED: { readonly [id: string]: string } = {
  B63: "UNSUPPORTED_STATEMENT",
  B65: "SYNTAX",
};

const QUERIES = [
  ...cases("analyst-queries.json", "queries").map(({ id, sql }) => ({ id: `analyst ${id}`, sql: sql ?? "" })),
  ...cases("planner-cases.json", "cases").flatMap(({ id, sql }) =>
    sql === undefined || sql === "" || sql === null || id in REFUSED ? [] : [{ id: `planner ${id}`, sql }],
  ),
];

describe("the acceptance cases", () => {
  it("are all here", () => {
    expect(QUERIES.filter(({ id }) => id.startsWith("analyst")).length).toBe(60);
    expect(QUERIES.filter(({ id }) => id.startsWith("planner")).length).toBeGreaterThan(200);
  });

  it.each(QUERIES)("$id", ({ sql }) => {
    const tree = query(sql);
    const text = printed(tree);
    expect(shape(query(text))).toBe(shape(tree));
    expect(printed(query(text))).toBe(text);
  });

  it.each(Object.entries(REFUSED))("planner %s is refused: %s", (id, reason) => {
    const refused = cases("planner-cases.json", "cases").find((each) => each.id === id);
    expect(errorOf(() => query(refused?.sql ?? "")).reason).toBe(reason);
  });
});
