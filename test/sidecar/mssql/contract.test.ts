/** The connectors' contract against a FAKE SQL Server, which answers by rote; there is no real one to be had here. */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { type ContractFixture, describeConnector } from "../../connectors/contract.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { type FakeMsSqlOptions, startFakeMsSql } from "../../support/tds-server.ts";
import { connectionTo, open, STATEMENTS, shop } from "./fixture.ts";

const before = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]));
afterAll(() => setDefaultCACertificates(before));

describeConnector("mssql over TLS inside the protocol, on a fake", () => start("mandatory", {}));
describeConnector("mssql over TLS before the protocol, on a fake", () => start("strict", { strict: true }));
describeConnector("mssql without TLS, on a fake", () => start("no", { encryption: 2 }));

async function start(Encrypt: string, options: FakeMsSqlOptions): Promise<ContractFixture> {
  const { answer, effects } = shop();
  const server = await startFakeMsSql(answer, options);
  return {
    statements: STATEMENTS,
    open: () => open(connectionTo(server, { kwargs: { Encrypt, HostNameInCertificate: "localhost" } })),
    running: async (marker) => server.running(marker),
    effects: async () => effects(),
    close: () => server.close(),
  };
}
