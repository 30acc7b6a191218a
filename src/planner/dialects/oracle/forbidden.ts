/** Oracle's read the session, and documents by their addresses. */
export const ORACLE_FORBIDDEN: ReadonlySet<string> = new Set("userenv xmltype".split(" "));
