/**
 * The response of an analysis (docs/spec/contract.md#analysis-of-sql). Members that do not apply are omitted; `alias` of a column
 * is null.
 */

/** 1-based; columns count UTF-16 units. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** A column of a model that an expression reads. */
export interface ExpressionSource {
  /** The written text: `c.custkey`. */
  readonly expression: string;
  /** Name of the model. */
  readonly sourceDataset: string;
  readonly sourceColumn: string;
  readonly nodeLocation: Location;
}

export interface ColumnAnalysis {
  readonly alias: string | null;
  /** In canonical form: operators between parentheses, single blanks. */
  readonly expression: string;
  /** Texts and not booleans: existing clients compare them. */
  readonly properties: {
    readonly includeFunctionCall: "true" | "false";
    readonly includeMathematicalOperation: "true" | "false";
  };
  readonly nodeLocation: Location;
  readonly exprSources: readonly ExpressionSource[];
}

export type JoinKind = "INNER_JOIN" | "LEFT_JOIN" | "RIGHT_JOIN" | "FULL_JOIN" | "CROSS_JOIN" | "IMPLICIT_JOIN";

export interface RelationAnalysis {
  readonly type: "TABLE" | "SUBQUERY" | JoinKind;
  readonly alias?: string;
  readonly left?: RelationAnalysis;
  readonly right?: RelationAnalysis;
  /** `ON (a.x = b.y)`, `USING (x, y)`; absent for NATURAL, CROSS and commas. */
  readonly criteria?: { readonly expression: string; readonly nodeLocation: Location };
  /** For joins: the columns in the criteria. */
  readonly exprSources?: readonly ExpressionSource[];
  /** For TABLE: a model, a view, a common table, or the text of another item of FROM. */
  readonly tableName?: string;
  /** For SUBQUERY. */
  readonly body?: readonly QueryAnalysis[];
  readonly nodeLocation: Location;
}

/** AND and OR have `left` and `right`, EXPR has `node` and `exprSources`. */
export interface FilterAnalysis {
  readonly type: "AND" | "OR" | "EXPR";
  readonly left?: FilterAnalysis;
  readonly right?: FilterAnalysis;
  readonly node?: string;
  readonly nodeLocation: Location;
  readonly exprSources?: readonly ExpressionSource[];
}

export interface KeyAnalysis {
  /** For an ordinal the select item's alias or text. */
  readonly expression: string;
  readonly nodeLocation: Location;
  readonly exprSources: readonly ExpressionSource[];
}

export interface SortAnalysis extends KeyAnalysis {
  readonly ordering: "ASCENDING" | "DESCENDING";
}

/** One SELECT. */
export interface QueryAnalysis {
  readonly selectItems: readonly ColumnAnalysis[];
  readonly relation?: RelationAnalysis;
  /** WHERE; HAVING and QUALIFY are not reported. */
  readonly filter?: FilterAnalysis;
  /** One list per grouping element. */
  readonly groupByKeys: readonly (readonly KeyAnalysis[])[];
  readonly sortings: readonly SortAnalysis[];
  readonly isSubqueryOrCte: boolean;
}
