/** Failures after the first byte, in a form that may be seen by whoever looks at a broken stream (decisions W12). */
import type { ResultStream } from "../result/types.ts";
import type { ServiceError } from "../service/failure.ts";
/**
 * What the body of a broken answer errors with. Runtimes write that error's text into logs which no redactor of ours
 * reaches, so it says nothing; what happened is in `failure`, out of the way of printers.
 */
export declare class BrokenAnswer extends Error {
    #private;
    readonly name = "BrokenAnswer";
    constructor(failure: ServiceError);
    get failure(): ServiceError;
}
/** The same rows; what they throw is a `BrokenAnswer`. */
export declare function withLateFailures(rows: ResultStream): ResultStream;
/** What happened, of anything that an encoder reports. */
export declare function lateFailureOf(error: unknown): ServiceError;
