/** Against a FAKE of the SQL API (`rest.ts`). */
import { parseSnowflakeConnection } from "../../../src/connectors/connection/snowflake.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { describeConnector, patient } from "../contract.ts";
import { ACCOUNT, makeKeyPair, STATEMENTS, startFakeSnowflake } from "./rest.ts";

describeConnector("Snowflake", async () => {
  const pair = makeKeyPair();
  const snowflake = await startFakeSnowflake(pair);
  const fields = { user: "reader", account: ACCOUNT, database: "D", schema: "PUBLIC", private_key: pair.privateKey };
  const { info } = parseSnowflakeConnection(fields);
  const host = { fetch: snowflake.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 5000 };
  return {
    statements: STATEMENTS,
    open: () => openHere(info, host, { signal: patient().signal }),
    running: async (marker) => snowflake.running(marker),
    close: snowflake.close,
  };
});
