/** Requests of the wrong shape: the `detail` body that existing clients know (contract §5.1, decisions W7). */
import type * as z from "zod";
/** One thing that is wrong. `loc` begins with `path`, `query`, `header` or `body`; the value itself is never shown. */
export interface Problem {
    readonly type: string;
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly ctx?: Readonly<Record<string, unknown>>;
}
/** Everything that is wrong with one request; answered 422 unless `status` says otherwise. */
export declare class RequestProblems extends Error {
    readonly name = "RequestProblems";
    readonly problems: readonly Problem[];
    constructor(problems: readonly Problem[]);
}
/** `'a', 'b' or 'c'` */
export declare function alternatives(names: readonly string[]): string;
export declare const MISSING: {
    readonly type: "missing";
    readonly msg: "Field required";
};
/** The issues of a body in the words of the `detail` shape. `body` is what was parsed; only its structure is looked at. */
export declare function problemsOf(issues: readonly z.core.$ZodIssue[], body: unknown): Problem[];
