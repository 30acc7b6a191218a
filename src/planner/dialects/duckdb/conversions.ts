/** DuckDB's implicit conversions: `numeric(38,0) = 1.5` and `timestamp = timestamp_ns` fail, seen with 1.4.4. */

import type { Conversions } from "../../access/common-types.ts";
import { fitDigits } from "../../access/decimal-digits.ts";

export const DUCKDB_CONVERSIONS: Conversions = {
  // The longest decimal has 38 digits.
  numbersHaveCommonType: (numbers) => fitDigits(numbers, { most: 38 }),
  oneTimestamp: false,
  intervalsHaveCommonType: false,
  collationsConflict: false,
};
