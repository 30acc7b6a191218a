/** Columns that a FROM item offers to its query: models, common tables, derived tables, functions. */
import type { Denial } from "../access/policy.ts";
import { namedAt } from "../diagnostics.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { findColumn, type Path, resolvePath } from "../manifest/paths.ts";
import type { BoundColumn, Expression, Identifier, PrintableColumn, Span } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";

/** One column of one relation occurrence; the object's identity is the column's identity. */
export interface RelationColumn extends PrintableColumn {
  readonly relation: Relation;
  /** The name the caller uses; the model's spelling for model columns. */
  readonly name: string;
  /** PostgreSQL's name of an expression without alias, where `name` is the expression: what NATURAL goes by. */
  readonly implicitName?: string;
  readonly type: SqlType;
  /** Nullability of the column itself; an outer join around it makes it nullable as well (`Relation.outer`). */
  readonly notNull: boolean;
  /** Settled by expansion. */
  printedName: string;
  /** Named somewhere in the query; other columns are not read. */
  used: boolean;
  /** The model column behind it, for models. */
  readonly modelColumn: ModelColumn | undefined;
  /** The relationship path behind it, where the query itself follows one. */
  readonly path?: Path;
  /** Called first with the span where the column is named; throws errors in the column. */
  readonly settle?: (span: Span) => void;
  /** Called when a query names the column; returns why the caller may not. */
  readonly denial?: () => Denial | undefined;
  /** The expressions behind it, for derived tables and common tables; those of calculated columns come by expansion. */
  origins: readonly Expression[];
}

/** The relation column of a name that binding resolved. Columns made by lowering are only printed. */
export function relationColumn({ column }: BoundColumn): RelationColumn {
  return column as RelationColumn;
}

/** A relation's result for an unqualified or qualified name. */
export type Lookup =
  | { readonly kind: "found"; readonly column: RelationColumn }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly names: readonly string[] };

const NONE: Lookup = { kind: "none" };

export abstract class Relation {
  /** Name that qualifies columns: the alias, or the table's own name. */
  readonly name: string;
  /** Longer spellings that also qualify, catalog and schema first; only models without an alias have them. */
  readonly path: readonly string[];
  printedAlias: string;
  /** On the NULL-extended side of an outer join. */
  outer = false;
  /** The members that a query names decide how its rows are grouped. */
  readonly grouping: boolean = false;

  constructor(name: string, path: readonly string[]) {
    this.name = name;
    this.path = path;
    this.printedAlias = name;
  }

  /** Visible columns in the order of `*`. May stop soon after `most`, because the caller rejects so many. */
  abstract columns(most?: number): readonly RelationColumn[];
  /**
   * A column by name: exact first; unquoted names fall back to the only match without case
   * (docs/decisions/0017-names-without-case.md).
   */
  abstract find(name: string, quoted: boolean): Lookup;

  /** Names of columns for messages. */
  shownNames(): readonly string[] {
    return this.columns().map((column) => column.name);
  }

  /** Whether `name` is a relationship handle, which may begin a path. */
  hasHandle(_name: Identifier): boolean {
    return false;
  }

  /** The column behind a path over relationships, which begins with a handle of this relation. */
  through(_parts: readonly Identifier[], _span: Span): RelationColumn {
    throw new TypeError(`"${this.name}" has no relationships`);
  }
}

/** Common tables, derived tables, functions: the columns are known when the relation is made. */
export class ListedRelation extends Relation {
  override readonly grouping: boolean;
  /** The only column of a function in FROM: as in PostgreSQL, its row is this value and not a record. */
  value: RelationColumn | undefined;
  readonly #columns: RelationColumn[] = [];
  readonly #exact = new Map<string, RelationColumn[]>();

  constructor(name: string, path: readonly string[], grouping = false) {
    super(name, path);
    this.grouping = grouping;
  }

  add(column: {
    name: string;
    type: SqlType;
    notNull: boolean;
    printedName: string;
    origins: readonly Expression[];
    /** A second name, PostgreSQL's for an expression without alias (`count` for `count(*)`). */
    implicitName: string | undefined;
    denial?: Denial;
  }): RelationColumn {
    const { denial } = column;
    const added: RelationColumn = {
      relation: this,
      name: column.name,
      type: column.type,
      notNull: column.notNull,
      printedName: column.printedName,
      used: false,
      modelColumn: undefined,
      origins: column.origins,
      ...(column.implicitName === undefined ? {} : { implicitName: column.implicitName }),
      ...(denial && { denial: () => denial }),
    };
    // Like over a model: `*` omits it, but its name is known.
    if (denial === undefined) this.#columns.push(added);
    this.#index(column.name, added);
    if (column.implicitName !== undefined && column.implicitName !== column.name) {
      this.#index(column.implicitName, added);
    }
    return added;
  }

  #index(name: string, column: RelationColumn): void {
    const known = this.#exact.get(name);
    if (known === undefined) this.#exact.set(name, [column]);
    else known.push(column);
  }

  override columns(): readonly RelationColumn[] {
    return this.#columns;
  }

  override find(name: string, quoted: boolean): Lookup {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return oneOf(exact);
    if (quoted) return NONE;
    const folded = name.toLowerCase();
    const matches: RelationColumn[] = [];
    for (const [candidate, columns] of this.#exact) {
      if (candidate.toLowerCase() === folded) matches.push(...columns);
    }
    return matches.length === 0 ? NONE : oneOf([...new Set(matches)]);
  }
}

/** Columns that models offer to a reader. */
export interface ModelOffer {
  /** Calculated columns and paths have the type of their expression. */
  readonly typeOfColumn: (model: Model, column: ModelColumn) => SqlType;
  readonly typeOfPath: (model: Model, path: Path, span: Span) => SqlType;
  /** The column does not exist for the reader: hidden columns for callers; rules may read all. */
  readonly hides: (model: Model, column: ModelColumn) => boolean;
  /** The reason why the column may not be named; throws if a required session property is missing. */
  readonly denial: (model: Model, column: ModelColumn) => Denial | undefined;
  readonly pathDenial: (path: Path) => Denial | undefined;
  /** Whether messages may name the column: the caller reads messages about SQL of the manifest too. */
  readonly shows: (model: Model, column: ModelColumn) => boolean;
}

/** One occurrence of a model. Its columns are created on demand: models are wide, queries narrow. */
export class ModelRelation extends Relation {
  readonly model: Model;
  /** Conditions of the query that every row has to meet and that need no other relation. */
  readonly conditions: Expression[] = [];
  readonly #columns = new Map<string, RelationColumn>();
  readonly #paths = new Map<string, RelationColumn>();
  readonly #offer: ModelOffer;

  /** `offer` is called only for columns that the query uses: errors in other columns do not affect it. */
  constructor(model: Model, name: string, path: readonly string[], offer: ModelOffer) {
    super(name, path);
    this.model = model;
    this.#offer = offer;
  }

  override columns(most = Number.POSITIVE_INFINITY): readonly RelationColumn[] {
    const columns: RelationColumn[] = [];
    for (const name of this.model.columnNames()) {
      const column = this.#visible(name);
      if (column === undefined || this.#denialOf(column) !== undefined) continue;
      columns.push(column);
      if (columns.length > most) break;
    }
    return columns;
  }

  /** Names for messages: none that the caller may not see, or may not be sure to see. */
  override shownNames(): readonly string[] {
    return this.#all().flatMap(({ name, modelColumn }) =>
      modelColumn !== undefined && this.#offer.shows(this.model, modelColumn) ? [name] : [],
    );
  }

  #all(): readonly RelationColumn[] {
    return [...this.model.columnNames()].flatMap((name) => this.#visible(name) ?? []);
  }

  #denialOf({ modelColumn }: RelationColumn): Denial | undefined {
    return modelColumn === undefined ? undefined : this.#offer.denial(this.model, modelColumn);
  }

  override find(name: string, quoted: boolean): Lookup {
    const exact = this.#visible(name);
    if (exact !== undefined) return { kind: "found", column: exact };
    if (quoted) return NONE;
    const matches: RelationColumn[] = [];
    for (const candidate of this.model.columnsLike(name)) {
      const column = this.#visible(candidate);
      if (column !== undefined) matches.push(column);
    }
    return matches.length === 0 ? NONE : oneOf(matches);
  }

  readonly #findVisible = (model: Model, name: Identifier): ModelColumn | undefined => {
    const column = findColumn(model, name);
    return column === undefined || this.#offer.hides(model, column) ? undefined : column;
  };

  override hasHandle(name: Identifier): boolean {
    return this.#findVisible(this.model, name)?.kind === "handle";
  }

  override through(parts: readonly Identifier[], span: Span): RelationColumn {
    const path = resolvePath(this.model, parts, { span, aggregated: false }, this.#findVisible, this.#offer.shows);
    const key = [...path.hops.map(({ handle }) => handle.name), path.column.name].join("\n");
    let column = this.#paths.get(key);
    if (column === undefined) {
      column = {
        relation: this,
        name: path.column.name,
        type: this.#offer.typeOfPath(this.model, path, span),
        notNull: false,
        printedName: path.column.name,
        used: false,
        modelColumn: undefined,
        path,
        denial: () => this.#offer.pathDenial(path),
        origins: [],
      };
      this.#paths.set(key, column);
    }
    return column;
  }

  /** The columns something names, in the order they were first named. */
  usedColumns(): readonly RelationColumn[] {
    const used: RelationColumn[] = [];
    for (const column of this.#columns.values()) if (column.used) used.push(column);
    for (const column of this.#paths.values()) if (column.used) used.push(column);
    return used;
  }

  /** Hidden columns and handles do not exist for callers. */
  #visible(name: string): RelationColumn | undefined {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const modelColumn = this.model.column(name);
    if (modelColumn === undefined || modelColumn.kind === "handle") return undefined;
    if (this.#offer.hides(this.model, modelColumn)) return undefined;
    const column = new NamedModelColumn(this, modelColumn, this.#offer);
    this.#columns.set(name, column);
    return column;
  }
}

/** A model column that something names. */
class NamedModelColumn implements RelationColumn {
  readonly relation: ModelRelation;
  readonly name: string;
  readonly notNull: boolean;
  printedName: string;
  used = false;
  readonly modelColumn: ModelColumn;
  origins: readonly Expression[] = [];
  readonly #offer: ModelOffer;
  #type: SqlType | undefined;

  constructor(relation: ModelRelation, modelColumn: ModelColumn, offer: ModelOffer) {
    this.relation = relation;
    this.name = modelColumn.name;
    this.notNull = modelColumn.notNull;
    this.printedName = modelColumn.name;
    this.modelColumn = modelColumn;
    this.#offer = offer;
  }

  settle(span: Span): void {
    if (this.modelColumn.kind === "calculated") namedAt(span, () => this.type);
  }

  get type(): SqlType {
    this.#type ??= this.#offer.typeOfColumn(this.relation.model, this.modelColumn);
    return this.#type;
  }

  denial(): Denial | undefined {
    return this.#offer.denial(this.relation.model, this.modelColumn);
  }
}

function oneOf(columns: readonly RelationColumn[]): Lookup {
  const [first] = columns;
  if (first === undefined) return NONE;
  if (columns.length === 1) return { kind: "found", column: first };
  return { kind: "several", names: columns.map((column) => column.name) };
}
