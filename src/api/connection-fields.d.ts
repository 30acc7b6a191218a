import type { Operation } from "../service/operations.ts";
export interface ConnectionFields {
    readonly connectionInfo?: Readonly<Record<string, unknown>> | null | undefined;
    readonly connectionFilePath?: string | null | undefined;
}
/** When both are given the file wins, as in the reference; a Worker has none, and says so rather than use the other. */
export declare function connectionInfoOf(fields: ConnectionFields, operation: Operation): Readonly<Record<string, unknown>>;
