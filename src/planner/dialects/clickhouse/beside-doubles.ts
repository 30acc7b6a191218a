/**
 * Numbers beside doubles. ClickHouse compares them by their exact values, has no type for both where a join or a set wants one, and
 * looks a decimal up among doubles cut to its own digits. Seen on ClickHouse 26.7.
 */
import { Doubles } from "../../lowering/beside-doubles.ts";
import { columnsMapped } from "./columns-of-queries.ts";
import { asDouble } from "./numbers.ts";

export const DOUBLES = new Doubles({
  counts: ({ type }) => type?.kind === "float",
  made: asDouble,
  columns: columnsMapped,
});
