/** Statements over rows with rules run on servers alone that are known to keep them; a real one is asked in the attacks. */
import { utf8 } from "@uwdata/flechette";
import { afterEach, describe, expect, it, test } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openSpark } from "../../../sidecar/spark/connector.ts";
import { isKnown } from "../../../sidecar/spark/fences.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { arrow } from "../../support/spark-arrow.ts";
import { batch, numbers, startFakeSpark } from "./server.ts";

const COMMIT = "29434ea766b0fc3c3bf6eaadb43a8f931133649e";

test.each<[version: unknown, keeps: boolean]>([
  [`4.0.1 ${COMMIT}`, true],
  [`4.0.10 ${COMMIT}`, true],
  [`4.1.0 ${COMMIT}`, true],
  [`5.0.0 ${COMMIT}`, true],
  [`4.0.0 ${COMMIT}`, false],
  [`3.5.9 ${COMMIT}`, false],
  [`4.0.1-amzn-0 ${COMMIT}`, false],
  [`4.0.1 ${"0".repeat(40)}`, false],
  ["4.0.1", false],
  [undefined, false],
])("version %j: %j", (version, keeps) => expect(isKnown(version)).toBe(keeps));

describe("a statement with fences", () => {
  const statement = { ...plain("SELECT n FROM t"), fenced: true as const };
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  async function ask(version: string, settings: Readonly<Record<string, string>> = {}) {
    const spark = await startFakeSpark();
    const { info } = parseSparkConnection({ host: "127.0.0.1", port: spark.port });
    const signal = new AbortController().signal;
    const connector = await openSpark(info, { dial: nodeDial(["127.0.0.1"]), connectTimeoutMs: 2000 }, { signal });
    opened.push(connector, spark);
    for (const [name, value] of Object.entries(settings)) spark.settings.set(name, value);
    const sent: string[] = [];
    spark.execute = (call) => {
      const { plan } = call.request as {
        readonly plan: { readonly root: { readonly sql: { readonly query: string } } };
      };
      sent.push(plan.root.sql.query);
      if (!plan.root.sql.query.includes("version()")) return numbers(3)(call);
      call.write(batch(arrow({ version: [[version], utf8()] })));
      call.end();
    };
    return { connector, sent };
  }

  it("is sent to Spark, which is asked what it is; others ask nothing", async () => {
    const { connector, sent } = await ask(`4.0.1 ${COMMIT}`, { "spark.plugins": "" });
    expect(await drain(await connector.query(statement, patient()))).toHaveLength(3);
    expect(sent).toEqual([expect.stringContaining("version()"), expect.stringContaining("FROM t")]);
    await drain(await connector.query(plain("SELECT n FROM t"), patient()));
    expect(sent).toHaveLength(3);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [`3.5.1 ${COMMIT}`, {}],
    [`4.0.1 ${COMMIT}`, { "spark.plugins": "org.apache.gluten.GlutenPlugin" }],
    [`4.0.1 ${COMMIT}`, { "spark.sql.extensions": "org.apache.comet.CometSparkSessionExtensions" }],
  ])("is not sent to %s with %j", async (version, settings) => {
    const { connector, sent } = await ask(version, settings);
    for (const run of ["query", "dryRun"] as const) {
      expect(await failureOf(connector[run](statement, patient()))).toMatchObject({ reason: "UNPROVEN_FENCE" });
    }
    expect(sent.join()).not.toContain("FROM t");
  });
});
