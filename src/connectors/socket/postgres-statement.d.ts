/**
 * One statement in the extended protocol, as something the driver can submit: settings, Parse, Describe and, unless it is
 * only checked, Bind and Execute, all in one go. Rows are read without a portal limit, which would forbid parallel plans:
 * holding the socket is what makes the server wait.
 */
import pg from "pg";
import type { Batch } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { type FieldDescription, type ReadColumn, type TextRow } from "../postgres/rows.ts";
import { type SettingsStatement } from "../postgres/session.ts";
import type { PostgresStream } from "./postgres-stream.ts";
interface RowDescription {
    readonly fields: readonly FieldDescription[];
}
export declare class PostgresStatement implements pg.Submittable {
    #private;
    /** `onOver` is called once, when the server has nothing more to say and the session could take another statement. */
    constructor(sql: string, settings: SettingsStatement, checkOnly: boolean, stream: PostgresStream, onOver: () => void);
    get isOver(): boolean;
    /** Resolves when they are known. Where a column is an array, that is when the first rows have come. */
    columns(): Promise<readonly ReadColumn[]>;
    /** The rows that have come since the last call, waiting for some; `undefined` after the last. */
    batch(): Promise<Batch | undefined>;
    /** Resolves when a statement that is only checked has been found right. */
    checked(): Promise<void>;
    /** Ends the waiting of whoever waits, now and later, unless the statement is over. The first failure stays. */
    fail(failure: ConnectorFailure): void;
    submit(connection: pg.Connection): void;
    handleRowDescription(description: RowDescription): void;
    handleDataRow({ fields, length }: {
        readonly fields: TextRow;
        readonly length: number;
    }): void;
    /** Neither the settings' end nor the statement's tells more than the ReadyForQuery after them. */
    handleCommandComplete(): void;
    handleEmptyQuery(): void;
    /** Also when the connection ends. The driver does not pass on the ReadyForQuery that follows an error. */
    handleError(error: unknown): void;
    handleReadyForQuery(): void;
}
export {};
