/** Test access to the real Spark, beyond a connector's. */
import { nodeDial } from "../../sidecar/dial.ts";
import { openChannel } from "../../sidecar/spark/channel.ts";
import { closed } from "../../sidecar/spark/failures.ts";
import { SparkSession } from "../../sidecar/spark/session.ts";
import { parseSparkConnection } from "../../src/connectors/connection/spark.ts";
import { patient } from "../connectors/contract.ts";
import { startSpark } from "./spark-server.ts";

/** Jobs that run for a statement with this text: the server shows statements by their sessions, and jobs by theirs. */
export async function running(marker: string): Promise<number> {
  const { pages } = await startSpark();
  const shown = await (await fetch(`${pages}/connect/`)).text();
  const row = shown.split("<tr>").find((text) => text.includes(marker));
  const [, session] = /\/connect\/session\/\?id=([\w-]+)/.exec(row ?? "") ?? [];
  if (session === undefined) return 0;
  const [{ id }] = (await (await fetch(`${pages}/api/v1/applications`)).json()) as [{ readonly id: string }];
  const jobs = await (await fetch(`${pages}/api/v1/applications/${id}/jobs?status=running`)).json();
  return (jobs as { readonly jobTags: readonly string[] }[]).filter(({ jobTags }) =>
    jobTags.some((tag) => tag.includes(`_Session_${session}_Operation_`)),
  ).length;
}

/** Runs whatever it is, which the connector does not. */
export async function runOnSpark(...statements: readonly string[]): Promise<void> {
  const { host, port } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const channel = await openChannel(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, patient().signal);
  const session = new SparkSession(channel, "test", patient(), () => {});
  for (const query of statements) await session.list({ sql: { query } });
  await session.end(closed());
  channel.close();
}
