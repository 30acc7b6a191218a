/**
 * The process of one DuckDB: it opens an engine, waits for one call, answers it in frames and is then ended. What a
 * statement may do to its process (crash it, fill it, hold it beyond its time) is done to this one.
 */
import { readFileSync, rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { failureToJson } from "../../src/connectors/remote/failure-json.ts";
import { runCall } from "../../src/connectors/remote/run-call.ts";
import { faultOf } from "../../src/guard/request-log.ts";
import { frameStream } from "../../src/result/encode/frames/writer.ts";
import { ResultError } from "../../src/result/failure.ts";
import { openDuckDb, openEngine } from "../duckdb/connector.ts";
import type { Engine } from "../duckdb/engine.ts";
import { FileRoot } from "../duckdb/file-root.ts";
import {
  type EngineCall,
  type EngineDescribing,
  type EngineFailureJson,
  type EngineProcessSettings,
  type EngineReady,
  FRAMES_DESCRIPTOR,
} from "./messages.ts";
import { outOfMemory } from "./process-end.ts";
import { writeAll } from "./write-all.ts";

const { root: given, ...engines } = JSON.parse(process.argv[2] ?? "") as EngineProcessSettings;

/** With the sidecar, however that ended: nobody waits for the answer, and nothing may be left behind. */
function end(): void {
  rmSync(engines.temporaryDirectory, { recursive: true, force: true });
  process.kill(process.pid, "SIGKILL");
}
process.once("disconnect", end);
// It may have gone before this line was reached.
if (!process.connected) end();

const REHEARSAL: EngineCall["call"] = {
  name: "query",
  statement: {
    sql: "SELECT i::integer AS a, i AS b, 'text' || i AS c, i::decimal(18, 2) AS d, DATE '2024-01-01' AS e, NULL AS f FROM range(100) t(i) ORDER BY c",
    columns: [],
    session: [],
    reads: [],
  },
};

const settings = { ...engines, root: new FileRoot(given.path, given.configured) };
// What runs for the first time runs slowly: a statement of ours is the first, on an engine of its own.
for await (const _ of framesOf({
  connection: { url: "/", format: "csv" },
  call: REHEARSAL,
  timeoutMs: 60_000,
  skipped: [],
}));
let prepared: Engine | undefined = await openEngine(settings);

/** The engine that is open already, for who asks first. */
async function open(): Promise<Engine> {
  const engine = prepared ?? (await openEngine(settings));
  prepared = undefined;
  return engine;
}

process.once("message", (message) => {
  void answer(message as EngineCall);
});
process.send?.({ memoryLimit: dataLimit() } satisfies EngineReady);
// The next process finds our modules compiled; this one does not live to write that down at its end.
flushCompileCache?.();

async function answer(asked: EngineCall): Promise<void> {
  await writeAll(framesOf(asked, open), new Socket({ fd: FRAMES_DESCRIPTOR, readable: false, writable: true }));
}

function framesOf(
  { connection, call, timeoutMs, skipped }: EngineCall,
  openOne = openEngine,
): ReadableStream<Uint8Array> {
  const signal = new AbortController().signal;
  const describing = (path: string): void => void process.send?.({ describing: path } satisfies EngineDescribing);
  const watch = { skipped, describing };
  const answering = openDuckDb(connection, { ...settings, watch, open: () => openOne(settings) });
  return frameStream(
    answering.then((connector) => runCall(call, connector, { signal, timeoutMs })),
    { describeFailure },
  );
}

function describeFailure(error: unknown): EngineFailureJson {
  if (error instanceof ConnectorFailure) return failureToJson(error);
  if (error instanceof ResultError) return failureToJson(new ConnectorFailure("UPSTREAM_PROTOCOL", error.message));
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) return failureToJson(outOfMemory());
  if (error instanceof Error && "code" in error && error.code === "ERR_STRING_TOO_LONG") {
    const message = "A value is larger than an answer can hold.";
    return failureToJson(new ConnectorFailure("SOURCE_ERROR", message, { hint: "Read a part of it." }));
  }
  return { fault: faultOf(error) };
}

/** What `ulimit -d` came to: Linux counts by it all memory that is writable and not shared, other systems do not. */
function dataLimit(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, bytes] = /^Max data size\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
  return bytes === undefined ? undefined : Number(bytes);
}
