import { expect, test } from "vitest";
import { listedColumns } from "../../src/explorer/value-search.tsx";

const column = (name: string, type: string, searchable?: boolean) => ({
  name,
  type,
  nullable: true,
  ...(searchable !== undefined && { properties: { searchable: String(searchable) } }),
});

test.each([
  ["declared ones alone, of any type", [column("a", "text"), column("b", "integer", true)], ["b"]],
  [
    "texts where none is declared",
    [column("a", "text"), column("b", "integer"), column("c", "text", false)],
    ["a", "c"],
  ],
])("values are looked for in %s", (_, columns, expected) => {
  const found = listedColumns({ models: [{ name: "m", columns, paths: [] }] });
  expect(found.map((each) => each.column.name)).toEqual(expected);
});
