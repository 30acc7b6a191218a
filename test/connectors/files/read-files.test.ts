/** Options for CSV files that models give. */
import { describe, expect, it } from "vitest";
import { filesRead } from "../../../src/connectors/files/read-files.ts";

const read = (csv: unknown, model = "cities") => ({
  model,
  columns: [],
  physical: { table: "a.csv" },
  declared: [],
  infersOthers: true as const,
  csv,
});

describe("filesRead", () => {
  it("takes options that models over one file share", () => {
    const files = filesRead([read({ encoding: "Latin-1", header: null }), read({ encoding: "latin1" }, "towns")]);
    expect(files.get("a.csv")).toEqual({ columns: [], isRestricted: false, csv: { encoding: "latin-1" } });
  });

  it.each<[csv: unknown, other: unknown, message: RegExp]>([
    [true, undefined, /^properties\.csv of the model "cities": must be an object\.$/],
    [[], undefined, /^properties\.csv of the model "cities": must be an object\.$/],
    [{ sep: ";" }, undefined, /^properties\.csv of the model "cities": the option "sep" is unknown\.$/],
    [{ header: "true" }, undefined, /^properties\.csv\.header of the model "cities": must be true or false\.$/],
    [{ delimiter: ";" }, { delimiter: "|" }, /^Models over the file "a\.csv" have different options/],
    [{ delimiter: ";" }, undefined, /^Models over the file "a\.csv" have different options/],
  ])("refuses %o beside %o", (csv, other, message) => {
    const reads = [read(csv), read(other, "towns")];
    expect(() => filesRead(reads)).toThrow(
      expect.objectContaining({ reason: "FILE_INVALID", message: expect.stringMatching(message) }),
    );
  });
});
