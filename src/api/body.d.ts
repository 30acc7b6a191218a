export interface BodyLimits {
    /** Bytes, of the body as sent and of what it unpacks to. */
    readonly maxBytes: number;
    readonly timeoutMs: number;
    /** Nesting of arrays and objects. */
    readonly maxDepth: number;
}
/**
 * The JSON value of a body, whatever its `Content-Type` says (contract §1.3).
 *
 * Fails with `ServiceError` (`BODY_TOO_LARGE`, `BODY_TIMEOUT`, `UNSUPPORTED_ENCODING`, `CANCELLED`) or `RequestProblems`
 * (`missing`, `json_invalid`, and strings that are no Unicode text).
 */
export declare function readJsonBody(request: Request, limits: BodyLimits, signal: AbortSignal): Promise<unknown>;
