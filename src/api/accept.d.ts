/** Content negotiation by `Accept` (decisions W11; RFC 9110 §12.5.1). */
/**
 * The best of `available` (in our order of preference) for an `Accept` header; `undefined` when the caller accepts none.
 * No header, or one without a single readable range, accepts everything.
 */
export declare function negotiate<T extends string>(header: string | null, available: readonly T[]): T | undefined;
