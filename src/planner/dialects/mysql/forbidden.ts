/** MySQL's and MariaDB's wait, or keep the server busy. What no source should have called is refused for all (`functions/safety.ts`). */
export const MYSQL_FORBIDDEN: ReadonlySet<string> = new Set("sleep benchmark".split(" "));
