/** Facts about an engine that the corpus needs. */
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import type { Refusals } from "../parity/refused/refusals.ts";
import type { PlanSettings } from "../support/plan.ts";
import type { TestDatabase } from "../support/postgres.ts";
import type { OpenedSource } from "../support/sources.ts";
import type { Naming } from "./manifest.ts";
import type { CorpusSchema } from "./tables.ts";

export interface CorpusEngine extends Naming {
  readonly source: DataSource;
  readonly label: string;
  readonly refused: Refusals;
  /** Queries that only the engine itself can reject: query → the beginning of its error. */
  readonly beyond?: Readonly<Record<string, string>> | undefined;
  /** Each statement is mostly waited for: several are asked at once, and a share of them where nobody asks for all. */
  readonly isSlow?: true;
  /** Settings for plans whose rows are compared, if the engine orders texts differently from the test's PostgreSQL. */
  readonly settings?: PlanSettings;
  /** Opens the schema's rows; `reference` is a PostgreSQL that has them already. */
  open(schema: CorpusSchema, reference: TestDatabase, naming: Naming): Promise<OpenedSource>;
}

/** An engine with a schema's rows on it. */
export interface LoadedEngine extends OpenedSource {
  readonly engine: CorpusEngine;
  readonly manifest: Manifest;
}
