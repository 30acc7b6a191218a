/** The SQL that each source is sent for the statements of `dialects/` is the recorded one. `npm run dialects` writes the record. */
import { describe, expect, test } from "vitest";
import { differences } from "./files.ts";
import { RECORDED } from "./sent.ts";

describe("what is sent for the statements of each dialect", () => {
  test.each(RECORDED)("$name", (recorded) => {
    expect(differences("dialect", recorded)).toEqual([]);
  });
});
