/** What the tree names: words, types and tables, which hold no expressions; with the places that all nodes carry. */
import type { Expression } from "./tree.ts";

/** Half-open range of UTF-16 offsets in the text that was parsed. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Node {
  readonly span: Span;
}

/** A name as written. `name` holds the text without quotes and with doubled quotes undone; case is kept. */
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

/** A table as it is written. Binding puts one of the next three in its place, and lowering takes no other. */
export interface NamedTable extends Node {
  readonly kind: "table";
  /** One to three parts. */
  readonly name: readonly Identifier[];
  readonly alias: TableAlias | undefined;
}

/** A use of a model or metric; lowering puts there what it is made of, with its rules. The parser never makes one, nothing prints one. */
export interface BoundModel extends Node {
  readonly kind: "bound-model";
  /** Its place in the statement: each use has one of its own. */
  readonly relation: PrintableRelation;
  readonly alias: TableAlias | undefined;
}

/** A use of an entry of WITH, by the name that it turns out to have. The parser never makes one. */
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

/** A derived table whose body is the modeller's own text (`refSql`); the parser never makes one. */
export interface OpaqueTable extends Node {
  readonly kind: "opaque-table";
  readonly text: string;
  /** Whose text it is, as errors name it: `refSql of model "m"`. */
  readonly owner: string;
  readonly alias: TableAlias;
}

/** A column that binding knows is more (`binding/relation.ts`); lowering makes some to be printed. */
export interface PrintableColumn {
  readonly relation: PrintableRelation;
  readonly printedName: string;
  /** The name by which it was asked for. */
  readonly name?: string;
  /** The expressions behind it. */
  readonly origins?: readonly Expression[];
}

export interface PrintableRelation {
  readonly printedAlias: string;
}

export interface PrintableCommonTable {
  readonly printedName: string;
}
