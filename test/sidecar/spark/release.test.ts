/** A planned statement runs on releases alone whose meaning was looked at; one of the catalogue's, or without settings, on any. */
import { afterEach, expect, it } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openSpark } from "../../../sidecar/spark/connector.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { engineError, startFakeSpark } from "./server.ts";

const planned = { ...plain("SELECT n FROM t"), session: [{ name: "spark.sql.ansi.enabled", value: "true" }] };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function connectTo(version: string) {
  const spark = await startFakeSpark();
  const { info } = parseSparkConnection({ host: "127.0.0.1", port: spark.port });
  const host = { dial: nodeDial(["127.0.0.1"]), connectTimeoutMs: 2000 };
  const connector = await openSpark(info, host, { signal: new AbortController().signal });
  opened.push(connector, spark);
  spark.answers.set("AnalyzePlan", { sparkVersion: { version } });
  return Object.assign(connector, { spark });
}

it.each(["3.5.7", "3.5.0-amzn-1", "4.0.0", "4.1.0-preview1", "10.0.0"])("runs on %s", async (version) => {
  const connector = await connectTo(version);
  expect(await drain(await connector.query(planned, patient()))).toHaveLength(3);
  expect(await connector.dryRun(planned, patient())).toEqual({});
});

it.each(["3.4.4", "2.4.8", "3", "", "next"])(
  "does not run on %j, where a statement without settings does",
  async (version) => {
    const connector = await connectTo(version);
    for (const run of ["query", "dryRun"] as const) {
      expect(await failureOf(connector[run](planned, patient()))).toMatchObject({
        reason: "NOT_IMPLEMENTED",
        hint: "Spark 3.5 or later is needed, 4.0 for all that is planned.",
      });
    }
    expect(await drain(await connector.query(plain("SELECT n FROM t"), patient()))).toHaveLength(3);
  },
);

it.each([
  ["3.5.7", "The server's Spark is earlier than 4.0, which some statements need."],
  ["4.0.1", undefined],
])("what analysis refuses on %s is told with the hint %j", async (version, hint) => {
  const connector = await connectTo(version);
  const info = { classes: '["org.apache.spark.sql.AnalysisException"]', sqlState: "0A000" };
  connector.spark.execute = (call) => void call.emit("error", engineError("[UNSUPPORTED] no", info));
  expect(await failureOf(connector.query(planned, patient()))).toMatchObject({
    reason: "SOURCE_INVALID_SQL",
    message: "[UNSUPPORTED] no",
    engineCode: "0A000",
    hint,
  });
});
