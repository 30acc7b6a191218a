/** Metadata records on the wire (docs/spec/contract.md#metadata): every key is always present, null when unknown. */

export interface TableRecord {
  readonly name: string;
  readonly columns: readonly ColumnRecord[];
  readonly description: string | null;
  /** Null if the source does not report the table's name in the underlying source (Canner). */
  readonly properties: {
    readonly schema: string | null;
    readonly catalog: string | null;
    readonly table: string | null;
    readonly path: string | null;
  } | null;
  /**
   * Present where the source reports that reading a column computes something or reads another system: views, generated columns,
   * external, federated and foreign tables. A model over the table needs the member of this name (docs/reference/access-rules.md).
   */
  readonly readMayFail?: true;
  /** Column names joined by `,`; `""` if a table has no key, null if the source has no keys. */
  readonly primaryKey: string | null;
}

export interface ColumnRecord {
  readonly name: string;
  /**
   * One of the service's type names (docs/spec/contract.md#type-names-of-metadata), or the source's text where the contract allows
   * it.
   */
  readonly type: string;
  readonly notNull: boolean;
  readonly description: string | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly nestedColumns: readonly ColumnRecord[] | null;
}

export interface ConstraintRecord {
  readonly constraintName: string;
  readonly constraintType: "PRIMARY KEY" | "FOREIGN KEY" | "UNIQUE";
  readonly constraintTable: string;
  readonly constraintColumn: string;
  readonly constraintedTable: string;
  readonly constraintedColumn: string;
}

/** One catalog and its schemas. */
export interface SchemaRecord {
  readonly name: string;
  readonly schemas: readonly string[];
}

/**
 * Patterns with `*` and `?`, compared without case; absent members match everything
 * (docs/decisions/0012-planning-without-a-source.md).
 */
export interface CatalogFilter {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table?: string;
  /** Datasets of projects, for a connection to many projects (BigQuery, docs/spec/contract.md#metadata-of-bigquery). */
  readonly projects?: readonly ProjectDatasets[];
}

export interface ProjectDatasets {
  readonly projectId: string;
  readonly datasetIds: readonly string[];
}

export type CatalogRequest =
  | { readonly kind: "tables"; readonly filter: CatalogFilter; readonly limit: number | undefined }
  | { readonly kind: "constraints"; readonly filter: CatalogFilter; readonly limit: number | undefined }
  | { readonly kind: "schemas"; readonly filter: CatalogFilter; readonly limit: number | undefined }
  | { readonly kind: "version" };

export interface CatalogAnswers {
  readonly tables: readonly TableRecord[];
  readonly constraints: readonly ConstraintRecord[];
  readonly schemas: readonly SchemaRecord[];
  readonly version: string;
}
