/** Names, types and tables in the tree, which hold no expressions, and the base of all nodes. */

/** Half-open range of UTF-16 offsets in the text that was parsed. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Node {
  readonly span: Span;
}

/** A name as written. `name` is the text without quotes, with doubled quotes replaced by one; case is kept. */
export interface Identifier extends Node {
  readonly name: string;
  readonly quoted: boolean;
}

/**
 * A type as written: `name` is the lower-case spelling with single blanks (`double precision`,
 * `timestamp with time zone`), `parameters` the numbers in parentheses, `dimensions` the count of array brackets.
 */
export interface TypeName extends Node {
  readonly name: string;
  readonly parameters: readonly number[];
  readonly dimensions: number;
  /** Element types of `array<…>`, `map<…>`, and members of `struct<…>` / `row(…)`; empty otherwise. */
  readonly members: readonly TypeMember[];
}

export interface TypeMember {
  readonly name: Identifier | undefined;
  readonly type: TypeName;
}

export interface TableAlias {
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
}

/** A table as written. Binding replaces it with one of the next three nodes; lowering accepts only these. */
export interface NamedTable extends Node {
  readonly kind: "table";
  /** One to three parts. */
  readonly name: readonly Identifier[];
  readonly alias: TableAlias | undefined;
}

/**
 * A use of a model or metric. Expansion replaces it with the model's table and rules. The parser never makes one, and
 * the printer prints none.
 */
export interface BoundModel extends Node {
  readonly kind: "bound-model";
  /** This use of the model: each use has its own relation object. */
  readonly relation: PrintableRelation;
  readonly alias: TableAlias | undefined;
}

/** A use of an entry of WITH, under its final printed name. The parser never makes one. */
export interface BoundCommon extends Node {
  readonly kind: "bound-common";
  readonly table: PrintableCommonTable;
  readonly alias: TableAlias | undefined;
}

/** A table of the source. The parser never makes one. */
export interface PhysicalTable extends Node {
  readonly kind: "physical-table";
  /** One to three parts. */
  readonly name: readonly Identifier[];
  readonly alias: TableAlias | undefined;
}

/** A derived table whose body is native SQL (`refSql`); the parser never makes one. */
export interface OpaqueTable extends Node {
  readonly kind: "opaque-table";
  readonly text: string;
  /** Origin of the text, as errors name it: `refSql of model "m"`. */
  readonly owner: string;
  readonly alias: TableAlias;
}

export interface PrintableRelation {
  readonly printedAlias: string;
}

export interface PrintableCommonTable {
  readonly printedName: string;
}
