/** The connectors' contract against a FAKE Oracle database, which answers by rote; there is no real one to be had here. */
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll } from "vitest";
import { type ContractFixture, describeConnector } from "../../connectors/contract.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { FAKE_SERVICE, type FakeOracleOptions, startFakeOracle } from "../../support/tns-server.ts";
import { connectionTo, open, STATEMENTS, shop } from "./fixture.ts";

const before = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]));
afterAll(() => setDefaultCACertificates(before));

describeConnector("oracle as 19c speaks, on a fake", () => start("tcp", "127.0.0.1", { verifier: "11g" }));
describeConnector("oracle as 23ai speaks, over TLS, on a fake", () =>
  start("tcps", "localhost", { fieldVersion: 24, tls: true }),
);

async function start(protocol: string, host: string, options: FakeOracleOptions): Promise<ContractFixture> {
  const { answer, effects } = shop();
  const server = await startFakeOracle(answer, options);
  const dsn = `${protocol}://${host}:${server.port}/${FAKE_SERVICE}`;
  return {
    statements: STATEMENTS,
    open: () => open(connectionTo(server, { dsn })),
    running: async (marker) => server.running(marker),
    effects: async () => effects(),
    close: () => server.close(),
  };
}
