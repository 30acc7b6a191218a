/** The use cases, the phase of a failure in each (docs/spec/contract.md#phases), and their names in messages. */

export type Phase =
  | "REQUEST_RECEIVED"
  | "MDL_EXTRACTION"
  | "SQL_PARSING"
  | "SQL_PLANNING"
  | "SQL_TRANSPILE"
  | "SQL_EXECUTION"
  | "SQL_DRY_RUN"
  | "RESPONSE_GENERATION"
  | "METADATA_FETCHING"
  | "VALIDATION"
  | "SQL_SUBSTITUTE";

export type Operation =
  | "query"
  | "dryRun"
  | "dryPlan"
  | "validate"
  | "tables"
  | "constraints"
  | "schemas"
  | "version"
  | "substitute"
  | "analyse"
  | "explain"
  | "cube"
  | "functions"
  | "knowledge"
  | "projects"
  | "describe"
  | "values"
  | "search";

interface OperationFacts {
  readonly phase: Phase;
  /** The name in `Query timeout after 240 seconds`: existing clients match this text (docs/spec/contract.md#outcomes). */
  readonly label: string;
}

export const OPERATIONS = {
  query: { phase: "SQL_EXECUTION", label: "Query" },
  dryRun: { phase: "SQL_DRY_RUN", label: "Dry-Run" },
  dryPlan: { phase: "SQL_PLANNING", label: "Dry-Plan" },
  validate: { phase: "VALIDATION", label: "Validation" },
  tables: { phase: "METADATA_FETCHING", label: "Get Table List" },
  constraints: { phase: "METADATA_FETCHING", label: "Get Constraints" },
  schemas: { phase: "METADATA_FETCHING", label: "Get Schema List" },
  version: { phase: "METADATA_FETCHING", label: "Get Database Version" },
  substitute: { phase: "SQL_SUBSTITUTE", label: "Model Substitute" },
  analyse: { phase: "SQL_PLANNING", label: "SQL Analysis" },
  explain: { phase: "SQL_PLANNING", label: "Explain" },
  cube: { phase: "SQL_EXECUTION", label: "Cube Query" },
  functions: { phase: "REQUEST_RECEIVED", label: "Get Functions" },
  projects: { phase: "REQUEST_RECEIVED", label: "Get Projects" },
  describe: { phase: "REQUEST_RECEIVED", label: "Get Project" },
  values: { phase: "SQL_EXECUTION", label: "Values" },
  search: { phase: "REQUEST_RECEIVED", label: "Search" },
  knowledge: { phase: "REQUEST_RECEIVED", label: "Get Knowledge" },
} as const satisfies Record<Operation, OperationFacts>;
