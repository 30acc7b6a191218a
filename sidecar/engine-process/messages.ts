/** Messages between the sidecar and its engine processes, apart from the frames of answers. */
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import type { FailureJson } from "../../src/connectors/remote/failure-json.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import type { EngineSettings } from "../duckdb/engine.ts";

/** An argument of the process, as JSON. */
export interface EngineProcessSettings extends EngineSettings {
  /** Absolute and without links, and as the operator wrote it. */
  readonly root: RootOfFiles;
  /** Used by this process only. */
  readonly temporaryDirectory: string;
}

export interface RootOfFiles {
  readonly path: string;
  readonly configured: string;
  /** See `FileRoot`. */
  readonly store?: string;
}

/** Messages of the process apart from its answers. */
export type EngineWord =
  /** A statement would find an engine open: at first, and again after each answer that leaves one more. */
  | ({ readonly kind: "ready" } & EngineReady)
  /** The answer was complete with this many bytes, its memory is freed, and the process can serve its owner again. */
  | { readonly kind: "answered"; readonly bytes: number }
  /** It is about to look at a table of a directory, which may be the end of it. */
  | { readonly kind: "describing"; readonly path: string };

export interface EngineReady {
  /** The data bytes that the system grants the process; undefined if the system has no such limit. */
  readonly memoryLimit: number | undefined;
}

/** One call of the process. All calls of a process are of one owner (`engine-pool.ts`). */
export interface EngineCall {
  readonly connection: FileFields;
  /** The root for this call, instead of the process's own. */
  readonly root?: RootOfFiles | undefined;
  readonly call: ConnectorCall;
  readonly timeoutMs: number;
  /** Tables of a directory that ended a process before. */
  readonly skipped: readonly string[];
}

/** The payload of an error frame: a failure of the statement, or where a fault of ours was thrown. */
export type EngineFailureJson = FailureJson | { readonly fault: string };

/** The descriptor that the frames go out by: the standard ones are not in reach of what an engine may print. */
export const FRAMES_DESCRIPTOR = 4;
