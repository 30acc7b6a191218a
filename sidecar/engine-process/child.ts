/**
 * A process of DuckDB: it opens an engine, waits for a call and answers it in frames. What a statement may do to its
 * process (crash it, fill it, hold it beyond its time) is done to this one. After an answer that was whole and left no
 * memory behind, it opens the next engine for the same owner; after any other it only waits for its end.
 */
import { rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { failureToJson } from "../../src/connectors/remote/failure-json.ts";
import { runCall } from "../../src/connectors/remote/run-call.ts";
import { faultOf } from "../../src/guard/request-log.ts";
import { type FrameStreamOptions, frameStream } from "../../src/result/encode/frames/writer.ts";
import { ResultError } from "../../src/result/failure.ts";
import { openDuckDb, openEngine } from "../duckdb/connector.ts";
import type { Engine } from "../duckdb/engine.ts";
import { FileRoot } from "../duckdb/file-root.ts";
import {
  type EngineCall,
  type EngineFailureJson,
  type EngineProcessSettings,
  type EngineWord,
  FRAMES_DESCRIPTOR,
} from "./messages.ts";
import { dataLimit, dataSize } from "./own-memory.ts";
import { outOfMemory } from "./process-end.ts";
import { writeAll } from "./write-all.ts";

const { root: given, ...engines } = JSON.parse(process.argv[2] ?? "") as EngineProcessSettings;

/** Ends when the sidecar has ended in any way: the answer has no reader, and no files may remain. */
function end(): void {
  rmSync(engines.temporaryDirectory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  process.kill(process.pid, "SIGKILL");
}
process.once("disconnect", end);
// It may have gone before this line was reached.
if (!process.connected) end();

/**
 * Memory retained after an answer that would be missing for the next one: a third of the limit beyond the engine's own.
 */
const KEPT_BYTES = 100e6;

const REHEARSAL: EngineCall["call"] = {
  name: "query",
  statement: {
    sql: "SELECT i::integer AS a, i AS b, 'text' || i AS c, i::decimal(18, 2) AS d, DATE '2024-01-01' AS e, NULL AS f FROM range(100) t(i) ORDER BY c",
    columns: [],
    session: [],
    reads: [],
  },
};

const ownRoot = new FileRoot(given.path, given.configured);
/** The root of the current call. */
let root = ownRoot;
const settings = {
  ...engines,
  /** Engines are opened before the root is known whose paths error texts must hide. */
  get root(): FileRoot {
    return root;
  },
};
// The first run is slow: warms up with a statement of our own, on a separate engine.
for await (const _ of framesOf({
  connection: { url: "/", format: "csv" },
  call: REHEARSAL,
  timeoutMs: 60_000,
  skipped: [],
}));
let prepared: Engine | undefined = await openEngine(settings);

/** The engine opened in advance, for the first call. */
async function open(): Promise<Engine> {
  const engine = prepared ?? (await openEngine(settings));
  prepared = undefined;
  return engine;
}

const answers = new Socket({ fd: FRAMES_DESCRIPTOR, readable: false, writable: true });
// The answers have no reader: the sidecar has ended, or is about to end this process.
answers.once("error", end);
const ready: EngineWord = { kind: "ready", memoryLimit: dataLimit() };
const ownBytes = dataSize();

process.on("message", (message) => {
  answer(message as EngineCall).catch(end);
});
say(ready);
// The next process finds our modules compiled; this one does not live to write that down at its end.
flushCompileCache?.();

async function answer(asked: EngineCall): Promise<void> {
  let isWhole = false;
  const { root: callRoot } = asked;
  root = callRoot === undefined ? ownRoot : new FileRoot(callRoot.path, callRoot.configured, callRoot.store);
  const frames = framesOf(asked, open, ({ outcome }) => {
    isWhole = outcome === "complete";
  });
  const bytes = await writeAll(frames, answers);
  if (!isWhole || dataSize() > ownBytes + KEPT_BYTES) {
    answers.end();
    return;
  }
  say({ kind: "answered", bytes });
  prepared = await openEngine(settings);
  say(ready);
}

function say(word: EngineWord): void {
  // Not heard: the sidecar has gone, and the channel's end follows.
  process.send?.(word, undefined, undefined, () => undefined);
}

function framesOf(
  { connection, call, timeoutMs, skipped }: EngineCall,
  openOne = openEngine,
  onEnd: FrameStreamOptions["onEnd"] = undefined,
): ReadableStream<Uint8Array> {
  const signal = new AbortController().signal;
  const describing = (path: string): void => say({ kind: "describing", path });
  const watch = { skipped, describing };
  const answering = openDuckDb(connection, { ...settings, watch, open: () => openOne(settings) });
  return frameStream(
    answering.then((connector) => runCall(call, connector, { signal, timeoutMs })),
    { describeFailure, onEnd },
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
