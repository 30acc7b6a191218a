/**
 * Canner's connector and dialect through the Workers, and NOT Canner: queries at PostgreSQL, metadata at a FAKE of its GraphQL,
 * which stands for the public network.
 */
import { createServer } from "node:http";
import { fieldsOf, startCannerFixture } from "../connectors/canner/fixture.ts";
import { listenOnLoopback } from "../support/tcp.ts";
import { startWorker } from "../support/worker.ts";
import { describeOperations, SALES_ROWS, salesTable } from "./operations.ts";

const column = (name: string, type: string) => ({ originalColumn: { name, type, properties: {} }, dataMetadata: null });

/** Documents of the requests, recognised by a word that no other has. */
const GRAPH = {
  systemInfo: { systemInfo: { version: "4.17.0" } },
  userMe: { userMe: { workspaces: [{ id: "w1", sqlName: "shop" }] } },
  workspaceDatasets: {
    workspaceDatasets: [
      {
        sqlName: "sales",
        dataMetadata: null,
        properties: { schema: "public", table: "sales" },
        columns: [column("id", "integer"), column("city", "varchar(20)"), column("amount", "decimal(10,2)")],
      },
    ],
  },
};

describeOperations(
  "canner",
  async () => {
    const graph = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const [, data] = Object.entries(GRAPH).find(([word]) => body.includes(word)) ?? [];
      response.end(JSON.stringify({ data }));
    });
    const [fixture, internet] = await Promise.all([startCannerFixture(), listenOnLoopback(graph)]);
    const { url } = await startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" }, { internet: internet.url });
    await fixture.observer.query(`${salesTable()}; ${SALES_ROWS}`);
    const fields = fieldsOf(fixture.database);
    return {
      url,
      connectionInfo: { ...fields, kwargs: { sslmode: "disable" } },
      catalogConnectionInfo: { ...fields, host: "canner.example.com", workspace: "shop", enableSSL: true },
      tableReference: { schema: "public", table: "sales" },
      secret: fields.pat,
      close: () => Promise.all([fixture.close(), internet.close()]),
    };
  },
  {
    plan: 'SELECT "sales"."id", "sales"."city" FROM "{schema}"."sales" AS "sales" WHERE "sales"."id" = 1',
    table: "sales",
    types: { id: "INTEGER", city: "VARCHAR", amount: "DECIMAL" },
    schema: "{schema}",
    version: /^4\.17\.0$/,
  },
);
