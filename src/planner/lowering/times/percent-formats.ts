/** The format language of MySQL's `date_format`, which Trino has too. */
import type { DateFormats } from "./date-texts.ts";

/** By pattern; keys with FM have no padding. */
const TOKENS: DateFormats["tokens"] = {
  YYYY: "%Y",
  YY: "%y",
  IYYY: "%x",
  MM: "%m",
  FMMM: "%c",
  Mon: "%b",
  FMMonth: "%M",
  DD: "%d",
  FMDD: "%e",
  DDD: "%j",
  Dy: "%a",
  FMDay: "%W",
  IW: "%v",
  HH24: "%H",
  FMHH24: "%k",
  HH12: "%h",
  HH: "%h",
  MI: "%i",
  SS: "%s",
  AM: "%p",
  PM: "%p",
};

export const PERCENT_FORMATS: Pick<DateFormats, "tokens" | "literal"> = {
  tokens: TOKENS,
  literal: (written) => written.replaceAll("%", "%%"),
};
