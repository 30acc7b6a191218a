/** Against FAKES of Snowflake's two protocols: the SQL API (`rest.ts`), and sessions (`sessions.ts`). */
import { parseSnowflakeConnection } from "../../../src/connectors/connection/snowflake.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { describeConnector, patient } from "../contract.ts";
import { ACCOUNT, makeKeyPair, STATEMENTS, startFakeSnowflake } from "./rest.ts";
import { PASSWORD, startFakeSessions } from "./sessions.ts";

interface Fake {
  readonly fetch: typeof globalThis.fetch;
  running(marker: string): number;
  close(): Promise<void>;
}

/** With what the user shows who it is. */
const FAKES: Readonly<Record<string, () => Promise<readonly [fake: Fake, proof: object]>>> = {
  "Snowflake by key pair": async () => {
    const pair = makeKeyPair();
    return [await startFakeSnowflake(pair), { private_key: pair.privateKey }];
  },
  "Snowflake by password": async () => [await startFakeSessions(), { password: PASSWORD }],
};

for (const [name, start] of Object.entries(FAKES)) {
  describeConnector(name, async () => {
    const [snowflake, proof] = await start();
    const fields = { user: "reader", account: ACCOUNT, database: "D", schema: "PUBLIC", ...proof };
    const { info } = parseSnowflakeConnection(fields);
    const host = { fetch: snowflake.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 5000 };
    return {
      statements: STATEMENTS,
      open: () => openHere(info, host, { signal: patient().signal }),
      running: async (marker) => snowflake.running(marker),
      close: snowflake.close,
    };
  });
}
