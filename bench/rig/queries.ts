/** Queries that planning is measured with. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { plainManifest } from "../../test/support/analyst.ts";
import { ROOT } from "./worker-bundle.ts";

export interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

export interface QuerySet {
  /** What the set is, for the page. */
  readonly title: string;
  readonly queries: readonly NamedQuery[];
}

/** Base64 of the manifest that both sets of queries are written against: eight models, 65 columns. */
export function tpchManifest(): string {
  return Buffer.from(JSON.stringify(plainManifest("postgres"))).toString("base64");
}

/**
 * The 22 queries of TPC-H. Their texts are not in the repository: they are read from DuckDB's extension, fetched from
 * PyPI as the engine tests do. Without network the 60 analyst queries of the repository stand in.
 */
export async function tpchQueries(): Promise<QuerySet> {
  try {
    const texts = await corpus();
    const queries = texts.map((sql, index) => ({ name: `Q${index + 1}`, sql }));
    return { title: "the 22 queries of TPC-H", queries };
  } catch {
    const title = "the repository's 60 analyst queries (the texts of TPC-H could not be fetched)";
    return { title, queries: await analystQueries() };
  }
}

export async function analystQueries(): Promise<readonly NamedQuery[]> {
  const text = await readFile(join(ROOT, "test/cases/analyst-queries.json"), "utf8");
  const { queries } = JSON.parse(text) as {
    readonly queries: readonly { readonly id: string; readonly sql: string }[];
  };
  return queries.map(({ id, sql }) => ({ name: id, sql }));
}

async function corpus(): Promise<readonly string[]> {
  const directory = join(ROOT, ".siskin/tpc");
  const read = async (): Promise<readonly string[]> => {
    const { tpch } = JSON.parse(await readFile(join(directory, "corpus.json"), "utf8")) as {
      readonly tpch: { readonly queries: readonly string[] };
    };
    return tpch.queries;
  };
  try {
    return await read();
  } catch {
    await promisify(execFile)("python3", [join(ROOT, "test/engines/corpus_fetch.py"), directory], { timeout: 120_000 });
    return read();
  }
}
