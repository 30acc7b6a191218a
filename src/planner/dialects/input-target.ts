/** The input language as a target: what `dry-plan` without a data source prints (decisions W16). */

import { functionNames } from "../functions/catalogue.ts";
import type { Target } from "../lowering/target.ts";
import { POSTGRES_FLAVOUR } from "../syntax/native-flavours.ts";
import { USUAL_TYPE_NAMES } from "../types.ts";
import { INPUT_LANGUAGE } from "./input.ts";

export const inputTarget = (): Target => ({
  name: "input",
  print: INPUT_LANGUAGE,
  native: POSTGRES_FLAVOUR,
  nullsSort: "last",
  qualify: "anywhere",
  withTies: true,
  windowsPerSelect: true,
  groupsMadeRows: true,
  ignoreNulls: true,
  roundsRecursion: false,
  measuresRecursion: false,
  collations: undefined,
  fence: { whenRaising: "none", otherwise: "none", pushes: false, harmless: undefined },
  matchesStatistics: false,
  setsBesideRecursion: true,
  infersTypes: false,
  limitsSetsByQuery: true,
  typeNames: USUAL_TYPE_NAMES,
  compositeTypes: true,
  rowsAsText: true,
  unlisted: { postgres: "pass", unknown: "pass" },
  session: [],
  rewrites: { calls: new Map(functionNames().map((name) => [name, "same"])), tableCalls: new Map() },
});
