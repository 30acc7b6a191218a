/**
 * The two JSON profiles, as data (docs/decisions/0001-two-profiles.md; docs/spec/contract.md#values): the kinds whose values differ
 * between them, and the names of types. All other kinds are the same in both profiles, and `value-writers.ts` writes them.
 */
import { arrowTypeName } from "../names/arrow.ts";
import { DATAFRAME_NAMES, type DataframeNames, dataframeTypeName } from "../names/dataframe.ts";
import type { LogicalType } from "../types.ts";

export type ProfileName = "classic" | "modern";

export interface ColumnRules {
  /**
   * `number`: a JSON number with the value's exact digits; `text`: a string by the rule of docs/spec/contract.md#text-of-decimals.
   */
  readonly decimal: "number" | "text";
  /** `epoch-milliseconds`: of midnight UTC; `text`: `YYYY-MM-DD`. */
  readonly date: "epoch-milliseconds" | "text";
  /** `epoch-milliseconds`: whole milliseconds since 1970, rounded down; `text`: `YYYY-MM-DD HH:MM:SS.ffffff[ ±HH:MM]`. */
  readonly timestamp: "epoch-milliseconds" | "text";
  readonly typeNames: "arrow" | DataframeNames;
}

export interface Profile {
  readonly columns: ColumnRules;
  /**
   * Columns that the caller listed in `columnDtypes`: in `classic`, a requested date or timestamp has always been a text in an
   * `object` column (docs/spec/contract.md#column-types-on-request).
   */
  readonly declaredColumns: ColumnRules;
}

const CLASSIC: ColumnRules = {
  decimal: "number",
  date: "epoch-milliseconds",
  timestamp: "epoch-milliseconds",
  typeNames: DATAFRAME_NAMES,
};

const MODERN: ColumnRules = { decimal: "text", date: "text", timestamp: "text", typeNames: "arrow" };

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  classic: {
    columns: CLASSIC,
    declaredColumns: {
      ...CLASSIC,
      date: "text",
      timestamp: "text",
      typeNames: { ...DATAFRAME_NAMES, timestamp: { local: "object", zoned: "object" } },
    },
  },
  modern: { columns: MODERN, declaredColumns: MODERN },
};

/** The dtype of a column; `zone` is the display zone, which dataframe names do not show. */
export function dtypeName(type: LogicalType, rules: ColumnRules, zone?: string): string {
  return rules.typeNames === "arrow" ? arrowTypeName(type, zone) : dataframeTypeName(type, rules.typeNames);
}
