/**
 * `to_char` of numbers on real engines is PostgreSQL's text to the letter: every mark and sign of the format language, formats by chance
 * (`FORMAT_SEED`, `FORMAT_CASES`), and what is computed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NUMBER_FORMATS, NUMBER_TEXTS, queriesOfFormats, randomNumberFormat } from "../parity/number-texts.ts";
import { Random } from "../support/random-query.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { ENGINES, faultsOf } from "./engines-beside-postgres.ts";

const SEED = Number(process.env["FORMAT_SEED"] ?? 1);
const CASES = Number(process.env["FORMAT_CASES"] ?? 12);

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.close());

for (const engine of ENGINES) {
  describe.skipIf(!engine.isThere)(engine.isThere ? engine.name : engine.without, () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await engine.open();
    });
    afterAll(() => opened?.close());

    const faults = (statements: readonly string[]): Promise<string> => faultsOf(statements, engine, opened, postgres);

    test(`${NUMBER_FORMATS.length} formats`, async () => {
      expect(await faults(queriesOfFormats(NUMBER_FORMATS))).toBe("");
    });

    test(`${CASES} formats by chance`, async () => {
      const formats = Array.from({ length: CASES }, (_, index) => randomNumberFormat(new Random(SEED + index)));
      expect(await faults(queriesOfFormats(formats))).toBe("");
    });

    test("computed numbers", async () => {
      expect(await faults(NUMBER_TEXTS)).toBe("");
    });
  });
}
