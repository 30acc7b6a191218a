import type { Refusals } from "./refusals.ts";

/** Queries of the corpus that are refused although PostgreSQL runs their text. */
export const REFUSED_BY_POSTGRES: Refusals = {};
