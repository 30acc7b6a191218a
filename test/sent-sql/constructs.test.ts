/** The SQL that each source is sent for each construct is the recorded one. `npm run dialects` writes the record. */
import { describe, expect, test } from "vitest";
import { differences } from "./files.ts";
import { RECORDED } from "./sent.ts";

describe("what is sent for each construct", () => {
  test.each(RECORDED)("$name", (recorded) => {
    expect(differences("constructs", recorded)).toEqual([]);
  });
});
