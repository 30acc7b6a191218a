/** MySQL's and MariaDB's wait, or keep the server busy. */
export const MYSQL_FORBIDDEN: ReadonlySet<string> = new Set("sleep benchmark".split(" "));
