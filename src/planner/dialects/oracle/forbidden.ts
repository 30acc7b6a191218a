/** Oracle's read the session, and documents by their addresses. What no source should have called is refused for all (`functions/safety.ts`). */
export const ORACLE_FORBIDDEN: ReadonlySet<string> = new Set("userenv xmltype".split(" "));
