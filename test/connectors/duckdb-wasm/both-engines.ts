/** The same files by native DuckDB as the sidecar has it, and by the engine of the files Worker. */
import { inspect } from "node:util";
import type { CsvOptions } from "../../../src/connectors/connection/csv-options.ts";
import type { Connector, Statement } from "../../../src/connectors/connector.ts";
import { openWasm } from "../../../src/connectors/duckdb-wasm/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { DeclaredColumn, Scan } from "../../../src/planner/plan.ts";
import type { Column, Row, SourceWarning } from "../../../src/result/types.ts";
import { calling, connectTo, type Playground, playground, rowsOf } from "../../sidecar/duckdb/fixtures.ts";
import { engineInNode } from "./engine-in-node.ts";
import { filesBelow } from "./local-files.ts";

export interface BothEngines {
  readonly ground: Playground;
  readonly native: Connector;
  readonly wasm: Connector;
  close(): Promise<void>;
}

/** `files` by their names; `format` of those whose names tell none. */
export async function openBoth(
  files: Readonly<Record<string, string | Uint8Array>>,
  format = "csv",
  csv?: CsvOptions,
): Promise<BothEngines> {
  const ground = playground();
  for (const [name, content] of Object.entries(files)) ground.write(name, content);
  const native = await connectTo(ground, { format, csv });
  const wasm = await openOver(ground.root, format, csv);
  return {
    ground,
    native,
    wasm,
    close: async () => {
      await Promise.all([native.close(), wasm.close()]);
      ground.remove();
    },
  };
}

/** The files Worker's engine over a directory. */
export async function openOver(root: string, format: string, csv?: CsvOptions): Promise<Connector> {
  const found = { find: filesBelow(root), list: () => Promise.resolve([]) };
  return openWasm({ engine: await engineInNode(), identity: async () => root, format, csv, ...found });
}

export interface Question {
  readonly sql?: string;
  /** The manifest's declared columns of the file, under an access rule. */
  readonly declared?: readonly DeclaredColumn[];
  /** The plan's scans of it. */
  readonly scans?: readonly Scan[];
  /** The model's `properties.csv`. */
  readonly csv?: Readonly<Record<string, unknown>>;
  /** No access rule is active. */
  readonly infersOthers?: true;
}

interface Answered {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly warnings?: readonly SourceWarning[];
}

interface Failed {
  readonly reason: ConnectorFailure["reason"];
  readonly engineCode: string | undefined;
  readonly message: string;
  /** Compared for reasons whose hint is the same in both places. */
  readonly hint?: string | undefined;
}

type None<T> = { readonly [Name in keyof T]?: undefined };
type FileOutcome = (Answered & None<Failed>) | (Failed & None<Answered>);

/** Rows with their columns, or how it fails. */
export async function outcomeOf(
  connector: Connector,
  path: string,
  { sql, declared, scans, csv, infersOthers }: Question = {},
): Promise<FileOutcome> {
  const reads = [
    {
      model: "model",
      columns: [],
      physical: { table: path },
      ...(declared && { declared }),
      ...(scans && { scans }),
      ...(csv && { csv }),
      ...(infersOthers && { infersOthers }),
    },
  ];
  const statement: Statement = { sql: sql ?? `SELECT * FROM "${path}"`, columns: [], session: [], reads };
  try {
    const { columns, warnings = [], batches, close } = await connector.query(statement, calling());
    const rows = await rowsOf({ columns, batches, close });
    return { columns, rows, ...(warnings.length > 0 && { warnings }) };
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error;
    const { reason, engineCode, message } = error;
    const hint = reason === "COLUMN_NOT_FOUND" ? { hint: error.hint } : {};
    return { reason, engineCode, message: message.replace(/\s+/g, " "), ...hint };
  }
}

export interface Outcome {
  readonly columns?: unknown;
  readonly rows?: readonly unknown[] | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/** The first one: a thousand rows are not looked at by anyone. */
export function difference(ours: Outcome, theirs: Outcome): string {
  const [own, other] = [ours, theirs].map(({ rows = [], ...rest }) => [rest, ...rows].map(written));
  const at = Array.from({ length: Math.max(own?.length ?? 0, other?.length ?? 0) }).findIndex(
    (_, i) => own?.[i] !== other?.[i],
  );
  return at < 0 ? "none" : `${own?.[at]} instead of ${other?.[at]} in row ${at}`;
}

/** Also of what JSON does not tell apart. */
function written(value: unknown): string {
  return inspect(value, {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Number.POSITIVE_INFINITY,
  });
}
