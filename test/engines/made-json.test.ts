/** JSON that is made of values has PostgreSQL's value on real engines. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JSON_IN_JSON, MADE_JSON } from "../parity/made-json.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";
import { ENGINES, faultsOf } from "./engines-beside-postgres.ts";

/** DuckDB and MySQL have rules of their own, which refuse a part. */
const ASKED = ENGINES.filter(({ source }) => source !== "local_file" && source !== "mysql");

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.close());

for (const engine of ASKED) {
  describe.skipIf(!engine.isThere)(engine.isThere ? engine.name : engine.without, () => {
    let opened: OpenedSource;
    beforeAll(async () => {
      opened = await engine.open();
    });
    afterAll(() => opened?.close());

    test.each([
      ["of values", MADE_JSON],
      ["of json", JSON_IN_JSON],
    ])("%s", async (_, statements) => {
      expect(await faultsOf(statements, engine, opened, postgres, { ordered: true, json: "value" })).toBe("");
    });
  });
}
