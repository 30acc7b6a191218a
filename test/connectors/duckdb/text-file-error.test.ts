/** Errors of readers of CSV and JSON name the file, the line and the column, and no option of DuckDB. */
import { expect, test } from "vitest";
import { textFileError } from "../../../src/connectors/duckdb/text-file-error.ts";

const SETTINGS = '  file = p/a.csv\n  delimiter = , (Set By User)\n  quote = " (Set By User)\n';
const csv = (what: string): string => `CSV Error on Line: 3\nOriginal Line: 2,abc,y\n${what}\n${SETTINGS}`;

test.each<readonly [what: string, message: string, expected: string | undefined]>([
  [
    "a value of another type",
    csv('Error when converting column "v". Could not convert string "abc" to \'INTEGER\''),
    'Line 3 of "p/a.csv": "abc" in the column "v" is no INTEGER.',
  ],
  [
    "a long value",
    csv(`Error when converting column "v". Could not convert string "${"a".repeat(300)}" to 'DATE'`),
    `Line 3 of "p/a.csv": "${"a".repeat(100)}…" in the column "v" is no DATE.`,
  ],
  [
    "a value whose error has another form",
    csv('Error when converting column "v". date field value out of range'),
    'Line 3 of "p/a.csv": a value of the column "v" has another type.',
  ],
  [
    "a line with too few values",
    csv("Expected Number of Columns: 3 Found: 1"),
    'Line 3 of "p/a.csv" has 1 values, and the first line of the file names 3 columns.',
  ],
  [
    "quotes without an end",
    csv("Value with unterminated quote found."),
    'Line 3 of "p/a.csv": a double quote has no end.',
  ],
  [
    "bytes that are no UTF-8",
    csv("Invalid unicode (byte sequence mismatch) detected. This file is not utf-8 encoded."),
    'Line 3 of "p/a.csv" is not UTF-8.',
  ],
  [
    "a value of JSON",
    'JSON transform error in file "j.json", in record/value 2: Failed to cast value to numerical: "abc"\nTry setting',
    'Record 2 of "j.json" has a value of another type: Failed to cast value to numerical: "abc".',
  ],
  ["another error of CSV", csv("Something else."), undefined],
  ["a text of a value that begins like one", "CSV Error on Line: 3\n", undefined],
  ["another error", "Division by zero", undefined],
])("%s", (_what, message, expected) => {
  expect(textFileError(message)?.message).toBe(expected);
});
