/** Types of columns from dbt's `catalog.json`, where it is beside the semantic manifest. */
import { existsSync, readFileSync } from "node:fs";
import { FaultsInFiles } from "../../exit.ts";

interface Place {
  readonly schema: string | undefined;
  readonly table: string;
  readonly column: string;
}

export interface ColumnTypes {
  readonly typeOf: (place: Place) => string | undefined;
}

const LARGEST = 256 * 1024 * 1024;

/** Throws `FaultsInFiles` if the file is no JSON. */
export function readCatalog(path: string): ColumnTypes {
  const types = new Map<string, string>();
  const key = (schema: string | undefined, table: string, column: string): string =>
    JSON.stringify([schema ?? "", table, column]).toLowerCase();
  for (const { metadata, columns } of nodesIn(path)) {
    for (const [name, { type }] of Object.entries(columns ?? {})) {
      if (typeof type === "string") types.set(key(metadata?.schema, metadata?.name ?? "", name), type);
    }
  }
  return { typeOf: ({ schema, table, column }) => types.get(key(schema, table, column)) };
}

interface Node {
  readonly metadata?: { readonly schema?: string; readonly name?: string };
  readonly columns?: Readonly<Record<string, { readonly type?: unknown }>>;
}

function nodesIn(path: string): readonly Node[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  if (text.length > LARGEST) throw new FaultsInFiles([{ message: `${path} is larger than 256 MiB.` }]);
  try {
    const { nodes = {}, sources = {} } = JSON.parse(text) as Readonly<Record<string, Readonly<Record<string, Node>>>>;
    return [...Object.values(nodes), ...Object.values(sources)];
  } catch {
    throw new FaultsInFiles([{ message: `${path} is no JSON.` }]);
  }
}
