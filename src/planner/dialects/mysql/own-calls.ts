/** Calls that rewrites make for what MySQL has no plain function for; `print.ts` spells them. No caller's name holds a blank. */

/** CONCAT, which is NULL where a part is; the catalogue's `concat` skips those, and is never NULL. */
export const JOINED = "joined texts";
