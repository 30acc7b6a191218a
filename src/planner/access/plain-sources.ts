/** Sources on which row rules hold for plain statements alone (`plain.ts`). */
export const PLAIN_SOURCES = ["bigquery", "snowflake", "mssql", "oracle", "redshift", "doris", "databricks"] as const;
export type PlainSource = (typeof PLAIN_SOURCES)[number];
