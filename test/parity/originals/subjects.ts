/** All subjects that need no tables. */
import { AGGREGATES_OF_THE_QUERY_AROUND, PERCENTILES } from "./aggregates.ts";
import { TYPED_CONSTANTS } from "./constants.ts";
import { ENGINE_FAULTS } from "./engine-faults.ts";
import { INTERVALS } from "./intervals.ts";
import { JSON_VALUES } from "./json.ts";
import { LISTS_IN_FROM } from "./lists.ts";
import { MIXED_INTERVALS } from "./mixed-intervals.ts";
import { IMPLICIT_NAMES } from "./names.ts";
import { EQUAL_QUOTIENTS, EXACT_AND_REAL } from "./quotients.ts";
import { DISTINCT_VALUES, LIMITS, SERIES, SUMS } from "./rows.ts";
import type { Subject } from "./subject.ts";
import { TEXTS_OF_VALUES } from "./texts.ts";
import { GROWING_DECIMALS, MISSING_GROUPS, RANGES, SMALL_FUNCTIONS } from "./values.ts";

export const SUBJECTS: readonly Subject[] = [
  ...[SERIES, DISTINCT_VALUES, LIMITS, SUMS, EQUAL_QUOTIENTS, EXACT_AND_REAL, IMPLICIT_NAMES, JSON_VALUES],
  ...[TEXTS_OF_VALUES, PERCENTILES, AGGREGATES_OF_THE_QUERY_AROUND, INTERVALS, GROWING_DECIMALS, SMALL_FUNCTIONS],
  ...[MISSING_GROUPS, RANGES, TYPED_CONSTANTS, LISTS_IN_FROM, MIXED_INTERVALS, ENGINE_FAULTS],
];
