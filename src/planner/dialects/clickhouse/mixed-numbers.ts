/**
 * Mixed numeric types. ClickHouse compares doubles and exact numbers by their exact values, has no common type for them where a
 * join or a set requires one, and looks up a decimal among doubles truncated to the decimal's scale. Seen on ClickHouse 26.7.
 */
import { MixedNumbers } from "../../lowering/numbers/mixed-numbers.ts";
import { columnsMapped } from "./columns-of-queries.ts";
import { asDouble } from "./numbers.ts";

export const MIXED_NUMBERS = new MixedNumbers({
  counts: ({ type }) => type?.kind === "float",
  made: asDouble,
  columns: columnsMapped,
});
