/** Queries that planning is measured with. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryLoadTpc } from "../../test/engines/tpc.ts";
import { plainManifest } from "../../test/support/analyst.ts";
import { ROOT } from "./worker-bundle.ts";

export interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

export interface QuerySet {
  /** Description of the set, for the page. */
  readonly title: string;
  readonly queries: readonly NamedQuery[];
}

/** Base64 of the manifest that both sets of queries are written against: eight models with plain columns. */
export function tpchManifest(): string {
  return Buffer.from(JSON.stringify(plainManifest("postgres"))).toString("base64");
}

/** The 22 queries of TPC-H where their texts can be had (`test/engines`), else the repository's own. */
export function standardQueries(): QuerySet {
  const outcome = tryLoadTpc();
  if ("notRun" in outcome) {
    return { title: `the repository's 60 analyst queries (TPC-H: ${outcome.notRun})`, queries: analystQueries() };
  }
  const queries = outcome.corpus.tpch.queries.map((sql, index) => ({ name: `Q${index + 1}`, sql }));
  return { title: "the 22 queries of TPC-H", queries };
}

export function analystQueries(): readonly NamedQuery[] {
  const text = readFileSync(join(ROOT, "test/cases/analyst-queries.json"), "utf8");
  const { queries } = JSON.parse(text) as {
    readonly queries: readonly { readonly id: string; readonly sql: string }[];
  };
  return queries.map(({ id, sql }) => ({ name: id, sql }));
}
