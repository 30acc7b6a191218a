/**
 * Reading JSON text that a stranger sent: depth is checked before anything is built, and faults are told by place only.
 *
 * `JSON.parse` itself quotes the text around a fault in its message (which may be a password) and gives no position for
 * short texts, so the place is found here and the engine's message is never used.
 */
export type JsonFault = "syntax" | "too deep" | "too many values";
interface Fault {
    readonly fault: JsonFault;
    /** Offset in UTF-16 units. */
    readonly at: number;
}
export type JsonOutcome = {
    readonly ok: true;
    readonly value: unknown;
} | ({
    readonly ok: false;
} & Fault);
/** Objects may hold a member named `__proto__`: it is an own property, as `JSON.parse` makes it. Of equal names the last wins. */
export declare function parseJson(text: string, maxDepth: number): JsonOutcome;
export {};
