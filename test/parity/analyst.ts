/** The sixty analyst queries with their committed answers. */
import { readFileSync } from "node:fs";
import type { ExpectedRows } from "../support/comparator.ts";

export interface AnalystQuery {
  readonly id: string;
  readonly title: string;
  readonly sql: string;
  readonly ordered: boolean;
  readonly expected: { readonly columns: readonly string[]; readonly rows: ExpectedRows };
}

const { queries } = JSON.parse(readFileSync(new URL("../cases/analyst-queries.json", import.meta.url), "utf8")) as {
  readonly queries: readonly AnalystQuery[];
};

export const ANALYST_QUERIES = queries;
