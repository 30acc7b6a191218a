/** The formats that `siskin import` reads, each loaded when it is used. */
import type { DataSource } from "../../src/planner/plan.ts";
import type { Draft } from "./draft.ts";

export interface ImportFormat {
  /** The only source that the format is made for. */
  readonly source?: DataSource;
  /** Fills the draft. Throws `FaultsInFiles` and `UsageError`. */
  readonly read: (path: string, shown: string, draft: Draft) => void | Promise<void>;
}

export const IMPORT_FORMATS: Readonly<Record<string, ImportFormat>> = {
  ossie: { read: async (...given) => (await import("./ossie/index.ts")).importOssie(...given) },
  cube: { read: async (...given) => (await import("./cube/index.ts")).importCube(...given) },
  snowflake: {
    source: "snowflake",
    read: async (...given) => (await import("./snowflake/index.ts")).importSnowflake(...given),
  },
  databricks: {
    source: "databricks",
    read: async (...given) => (await import("./databricks/index.ts")).importDatabricks(...given),
  },
  lookml: { read: async (...given) => (await import("./lookml/index.ts")).importLookml(...given) },
  dbt: { read: async (...given) => (await import("./dbt/index.ts")).importDbt(...given) },
};
