/** The decimals of docs/reference/formats.md, in the formats that it lists. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encoders } from "../../src/result/encode/encoders.ts";
import { columnsOf, encode, resultOf, textOf } from "../result/streams.ts";

const PAGE = readFileSync(new URL("../../docs/reference/formats.md", import.meta.url), "utf8");
const VALUES = ["12300.00", "1.50", "0.00"];

/** The code spans of a row's second cell. */
const shownIn = (format: string): readonly string[] => {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${format} |`)) ?? "";
  return [...(row.split("|")[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
};

test.each([
  ["JSON and NDJSON", "json", /\[\[(.*)\]\],"dtypes"/],
  ["JSON and NDJSON", "ndjson", /\n\[(.*)\]\n\{"end"/],
  ["CSV", "csv", /\r\n(.*)\r\n/],
] as const)("%s: decimals as %s has them", async (row, format, values) => {
  const type = { kind: "decimal", precision: 10, scale: 2 } as const;
  const stream = resultOf(columnsOf(type, type, type), [[VALUES]]);
  const options = { profile: "modern", describeFailure: (): object => ({}) } as const;
  const text = await textOf(encode(encoders[format], stream, options));
  const [, found = text] = values.exec(text) ?? [];
  expect(found.split(",")).toEqual(shownIn(row));
});
