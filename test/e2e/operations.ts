/**
 * The operations of every source through the whole service: `query`, its dry run, `dry-plan` and the four kinds of
 * metadata, all over one table with the same rows everywhere. Sources with a larger test file run these checks in it
 * (`every-source.test.ts` has the list).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DataSource } from "../../src/service/data-sources.ts";

/** A source with the table `sales`, behind a service that runs. */
export interface Stage {
  /** URL of the service, without a trailing slash. */
  readonly url: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  /** Where metadata is asked elsewhere than queries. */
  readonly catalogConnectionInfo?: Readonly<Record<string, unknown>>;
  /** Reference of the model's table. */
  readonly tableReference: { readonly catalog?: string; readonly schema?: string; readonly table: string };
  /** A secret of the connection: no answer may contain it. */
  readonly secret?: string;
  close(): Promise<unknown>;
}

/** In texts, `{schema}` is the table's. */
export interface Expected {
  /** Whole: how a dialect writes it is seen here. */
  readonly plan: string;
  /** The table's name in `metadata/tables`. */
  readonly table: string;
  readonly types: Readonly<Record<"id" | "city" | "amount", string>>;
  /** One of those that `metadata/schemas` lists; undefined where there are none. */
  readonly schema: string | undefined;
  readonly version: RegExp;
}

/** Columns' types are the engine's own. */
export const salesTable = ({ int = "int", varchar = "varchar(20)", decimal = "decimal(10, 2)", behind = "" } = {}) =>
  `CREATE TABLE sales (id ${int}, city ${varchar}, amount ${decimal})${behind}`;
export const SALES_ROWS = "INSERT INTO sales VALUES (1, 'Köln', 10.50), (2, 'Köln', -0.25), (3, NULL, NULL)";

const ROWS = "SELECT id, city, amount FROM sales ORDER BY amount DESC NULLS FIRST LIMIT 2";
const TOTALS = "SELECT count(*) AS n, sum(amount) AS total FROM sales WHERE id < 9";

export function describeOperations(source: DataSource, start: () => Promise<Stage>, expected: Expected): void {
  describe(`${source} through the whole service`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage?.close());

    async function ask(operation: string, body: object): Promise<{ readonly status: number; readonly body: unknown }> {
      const response = await fetch(`${stage.url}/v3/connector/${source}/${operation}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (stage.secret !== undefined) expect(text).not.toContain(stage.secret);
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    }

    const planned = (operation: string, sql: string) => {
      const columns = [
        { name: "id", type: "INTEGER" },
        { name: "city", type: "VARCHAR" },
        { name: "amount", type: "DECIMAL(10, 2)" },
        { name: "gone", type: "VARCHAR" },
      ];
      const lost = { ...stage.tableReference, table: `lost_${stage.tableReference.table}` };
      const models = [
        { name: "sales", tableReference: stage.tableReference, columns },
        { name: "lost", tableReference: lost, columns },
      ];
      const manifest = JSON.stringify({ catalog: "c", schema: "s", models });
      const manifestStr = Buffer.from(manifest).toString("base64");
      return ask(operation, { manifestStr, sql, connectionInfo: stage.connectionInfo });
    };
    const named = (text: string): string => text.replaceAll("{schema}", stage.tableReference.schema ?? "");
    const metadata = (kind: string) =>
      ask(`metadata/${kind}`, { connectionInfo: stage.catalogConnectionInfo ?? stage.connectionInfo });

    it("plans", async () => {
      const { status, body } = await planned("dry-plan", "SELECT id, city FROM sales WHERE id = 1");
      expect([status, body]).toEqual([200, named(expected.plan)]);
    });

    it("answers", async () => {
      expect(await planned("query", ROWS)).toMatchObject({
        status: 200,
        body: {
          columns: ["id", "city", "amount"],
          data: [
            [3, null, null],
            [1, "Köln", "10.5"],
          ],
          dtypes: { city: "string" },
        },
      });
      expect(await planned("query", TOTALS)).toMatchObject({
        body: { columns: ["n", "total"], data: [[3, "10.25"]] },
      });
    });

    it("checks a statement, and says what is wrong with one", async () => {
      expect(await planned("query?dryRun=true", ROWS)).toEqual({ status: 204, body: undefined });
      const wrong = "SELECT gone FROM sales";
      if (source.endsWith("_file")) {
        // A dry run reads no file.
        expect(await planned("query", wrong)).toMatchObject({
          status: 422,
          body: { message: expect.stringMatching(/has no column "gone"/), metadata: { reason: "COLUMN_NOT_FOUND" } },
        });
        const { status, body } = await planned("query?dryRun=true", "SELECT id FROM lost");
        expect(status).toBeGreaterThanOrEqual(400);
        expect(JSON.stringify(body)).toMatch(/lost_/);
        return;
      }
      expect(await planned("query?dryRun=true", wrong)).toMatchObject({
        status: 422,
        body: { message: expect.stringMatching(/gone/i) },
      });
    });

    it("tells of tables, keys, schemas and its version", async () => {
      const { body: tables } = await metadata("tables");
      const found = (tables as readonly { readonly name: string; readonly columns: readonly object[] }[]).find(
        ({ name }) => name === named(expected.table),
      );
      expect(found?.columns).toMatchObject(Object.entries(expected.types).map(([name, type]) => ({ name, type })));
      expect(await metadata("constraints")).toEqual({ status: 200, body: [] });
      const { body: schemas } = await metadata("schemas");
      const listed = (schemas as readonly { readonly schemas: readonly string[] }[]).flatMap(({ schemas }) => schemas);
      if (expected.schema === undefined) expect(listed).toEqual([]);
      else expect(listed).toContain(named(expected.schema));
      expect((await metadata("version")).body).toMatch(expected.version);
    });
  });
}
