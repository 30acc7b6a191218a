import pg from "pg";
import type { PostgresConnection } from "../connection/postgres.ts";
import { PostgresStream } from "./postgres-stream.ts";
import type { Dial } from "./wire.ts";
export interface PostgresSession {
    /** The driver, authenticated and idle. Give it one statement at a time. */
    readonly client: pg.Client;
    readonly stream: PostgresStream;
    /** Ends whatever statement runs: a cancel request over a connection of its own, then this one is closed. Never throws. */
    abandon(): Promise<void>;
    /** Says goodbye to an idle session. Never throws. */
    leave(): Promise<void>;
}
/** Fails with `ConnectorFailure`. `timeoutMs` covers reaching, encrypting and authenticating together. */
export declare function openSession(connection: PostgresConnection, dial: Dial, timeoutMs: number, signal: AbortSignal): Promise<PostgresSession>;
