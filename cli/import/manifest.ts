/** The manifest that an import makes, as JSON. */

export interface ImportedColumn {
  readonly name: string;
  readonly type: string;
  readonly expression?: string;
  readonly isCalculated?: true;
  readonly isHidden?: true;
  readonly notNull?: true;
  readonly relationship?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface ImportedTable {
  readonly catalog?: string;
  readonly schema?: string;
  readonly table: string;
}

export interface RowRule {
  readonly name: string;
  readonly requiredProperties: readonly { readonly name: string; readonly required: boolean }[];
  readonly condition: string;
}

export interface ImportedModel {
  readonly name: string;
  readonly tableReference?: ImportedTable;
  readonly refSql?: string;
  readonly columns: readonly ImportedColumn[];
  readonly primaryKey?: string | readonly string[];
  readonly uniqueKeys?: readonly (readonly string[])[];
  readonly rowLevelAccessControls?: readonly RowRule[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface ImportedRelationship {
  readonly name: string;
  readonly models: readonly [string, string];
  readonly joinType: "ONE_TO_ONE" | "ONE_TO_MANY" | "MANY_TO_ONE" | "MANY_TO_MANY";
  readonly condition: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface CubeMember {
  readonly name: string;
  readonly expression: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface ImportedCube {
  readonly name: string;
  readonly baseObject: string;
  readonly measures: readonly CubeMember[];
  readonly dimensions: readonly CubeMember[];
  readonly timeDimensions: readonly CubeMember[];
  readonly hierarchies?: Readonly<Record<string, readonly string[]>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface ImportedView {
  readonly name: string;
  readonly statement: string;
}

export interface ImportedManifest {
  readonly layoutVersion: 4;
  readonly catalog: string;
  readonly schema: string;
  readonly dataSource: string;
  readonly models: readonly ImportedModel[];
  readonly relationships: readonly ImportedRelationship[];
  readonly cubes: readonly ImportedCube[];
  readonly views?: readonly ImportedView[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}
