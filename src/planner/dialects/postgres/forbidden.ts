/** PostgreSQL's extensions call other services, plan jobs and run SQL in text. */
export const POSTGRES_FORBIDDEN: ReadonlySet<string> = new Set(
  "query raw_query invoke schedule schedule_in_database unschedule connectby".split(" "),
);
