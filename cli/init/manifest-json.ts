/** A manifest as JSON, with the members that are made from metadata. */

export interface ColumnJson {
  readonly name: string;
  readonly type: string;
  readonly expression?: string;
  readonly notNull?: boolean;
  readonly description?: string;
  readonly relationship?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface TableReferenceJson {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table: string;
}

export interface ModelJson {
  readonly name: string;
  readonly tableReference: TableReferenceJson;
  readonly description?: string;
  readonly columns: readonly ColumnJson[];
  readonly primaryKey?: string | readonly string[];
  readonly uniqueKeys?: readonly (readonly string[])[];
  readonly readMayFail?: boolean;
}

export interface RelationshipJson {
  readonly name: string;
  readonly models: readonly [string, string];
  readonly joinType: "ONE_TO_ONE" | "MANY_TO_ONE";
  readonly condition: string;
}

export interface ManifestJson {
  readonly layoutVersion: 4;
  readonly catalog: string;
  readonly schema: string;
  readonly dataSource: string;
  readonly models: readonly ModelJson[];
  readonly relationships?: readonly RelationshipJson[];
}
