/** Hands of clocks that are set back and forth: shown twice, never, once. */
export const CLOCKS: readonly string[] = [
  "SELECT i, t AT TIME ZONE 'Europe/Berlin' AS x FROM (VALUES (1, TIMESTAMP '2024-10-27 01:59:59.999999'), (2, '2024-10-27 02:00:00'), (3, '2024-10-27 02:30:00'), (4, '2024-10-27 02:59:59.999999'), (5, '2024-10-27 03:00:00'), (6, '2024-03-31 01:59:59'), (7, '2024-03-31 02:00:00'), (8, '2024-03-31 02:30:00'), (9, '2024-03-31 03:00:00'), (10, NULL)) AS v(i, t) ORDER BY i",
  "SELECT i, t AT TIME ZONE 'America/New_York' AS x, t AT TIME ZONE 'Australia/Lord_Howe' AS y, t AT TIME ZONE 'Asia/Kolkata' AS z FROM (VALUES (1, TIMESTAMP '2024-11-03 01:30:00'), (2, '2024-11-03 00:59:59'), (3, '2024-03-10 02:30:00'), (4, '2024-04-07 01:45:00'), (5, '2024-04-07 01:15:00'), (6, '2024-10-06 02:15:00'), (7, '1970-01-01 00:00:00')) AS v(i, t) ORDER BY i",
  "SELECT t AT TIME ZONE 'Europe/Berlin' AS x, (t AT TIME ZONE 'Europe/Berlin') AT TIME ZONE 'UTC' AS y, (t AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Berlin' AS z FROM (VALUES (TIMESTAMP '2024-10-27 02:30:00')) AS v(t)",
];
