/** What ClickHouse says for each field of EXTRACT. Seen on ClickHouse 26.7. */
import { fieldSayings, type Sayings } from "../../lowering/sayings.ts";
import type { Extract } from "../../syntax/tree.ts";
import { part } from "./times.ts";

const NO_FRACTION = { refused: "fractions of a second", hint: "Use date_trunc('second', …)." };
const NO_FIELD = { refused: "this field" };

export const clickHouseFields = (): Sayings<Extract> =>
  fieldSayings([], {
    year: part("year of"),
    quarter: part("quarter of"),
    month: part("month of"),
    day: part("day of"),
    hour: part("hour of"),
    minute: part("minute of"),
    doy: part("day of year"),
    week: part("week of"),
    isoyear: part("year of week"),
    isodow: part("day of week"),
    dow: part("day after sunday"),
    epoch: { refused: "an epoch", hint: "Use date_diff('second', TIMESTAMP '1970-01-01 00:00:00', x)." },
    second: NO_FRACTION,
    milliseconds: NO_FRACTION,
    microseconds: NO_FRACTION,
    julian: NO_FIELD,
    century: NO_FIELD,
    decade: NO_FIELD,
    millennium: NO_FIELD,
    timezone: NO_FIELD,
    timezone_hour: NO_FIELD,
    timezone_minute: NO_FIELD,
  });
