/** What the sidecar and its engines' processes say to each other, besides the frames of the answer. */
import type { FileFields } from "../../src/connectors/connection/local-file.ts";
import type { FailureJson } from "../../src/connectors/remote/failure-json.ts";
import type { ConnectorCall } from "../../src/connectors/remote/protocol.ts";
import type { EngineSettings } from "../duckdb/engine.ts";

/** An argument of the process, as JSON. */
export interface EngineProcessSettings extends EngineSettings {
  /** Absolute and without links, and as the operator wrote it. */
  readonly root: { readonly path: string; readonly configured: string };
  /** Of this process alone. */
  readonly temporaryDirectory: string;
}

/** Sent once by the process, when a statement would find an engine open. */
export interface EngineReady {
  /** The bytes of data that the system grants the process; undefined where the system has no such limit. */
  readonly memoryLimit: number | undefined;
}

/** Sent by the process before it looks at a table of a directory, which may be the end of it. */
export interface EngineDescribing {
  readonly describing: string;
}

/** The one thing that is asked of the process. */
export interface EngineCall {
  readonly connection: FileFields;
  readonly call: ConnectorCall;
  readonly timeoutMs: number;
  /** Tables of a directory that ended a process before. */
  readonly skipped: readonly string[];
}

/** The payload of an error frame: a failure of the statement, or where a fault of ours was thrown. */
export type EngineFailureJson = FailureJson | { readonly fault: string };

/** The descriptor that the frames go out by: the standard ones are not in reach of what an engine may print. */
export const FRAMES_DESCRIPTOR = 4;
