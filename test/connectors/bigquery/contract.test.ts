/** Against a FAKE of Google's hosts (`rest.ts`). */
import { parseBigQueryConnection } from "../../../src/connectors/connection/bigquery.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { describeConnector, patient } from "../contract.ts";
import { makeAccount, PROJECT, STATEMENTS, startFakeGoogle } from "./rest.ts";

describeConnector("BigQuery", async () => {
  const account = makeAccount();
  const google = await startFakeGoogle(account);
  const { info } = parseBigQueryConnection({
    project_id: PROJECT,
    dataset_id: "sales",
    credentials: account.credentials,
  });
  const host = { fetch: google.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 5000 };
  return {
    statements: STATEMENTS,
    open: () => openHere(info, host, { signal: patient().signal }),
    running: async (marker) => google.running(marker),
    close: google.close,
  };
});
