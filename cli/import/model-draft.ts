/** A model that an importer fills: its columns by name, each once. */
import type { FilePosition } from "../exit.ts";
import { identifierIn } from "../project/identifier.ts";
import type { ImportedColumn, ImportedModel, RowRule } from "./manifest.ts";
import type { Origins } from "./origins.ts";
import type { ImportReport } from "./report.ts";
import { expressionIn } from "./sql-text.ts";

export type ModelHead = Pick<ImportedModel, "name" | "tableReference" | "refSql" | "description" | "properties">;

export const UNKNOWN_TYPE = "UNKNOWN";

export interface TableFacts {
  /** The type of a column of the table, where the import knows it. */
  readonly typeOf: (column: string) => string | undefined;
  /** The source has another spelling of names without quotes, so that each column needs an expression. */
  readonly folds: boolean;
}

export class ModelDraft {
  readonly head: ModelHead;
  readonly #columns = new Map<string, ImportedColumn>();
  /** Names of columns by the column of the table, and by the expression, that they read. */
  readonly #readers = { physical: new Map<string, string>(), expression: new Map<string, string>() };
  readonly #origins: Origins;
  readonly #report: ImportReport;
  readonly #typeOf: TableFacts["typeOf"];
  readonly #folds: boolean;
  primaryKey: readonly string[] = [];
  uniqueKeys: (readonly string[])[] = [];
  rules: RowRule[] = [];

  constructor(head: ModelHead, origins: Origins, report: ImportReport, { typeOf, folds }: TableFacts) {
    this.#folds = folds;
    this.head = head;
    this.#origins = origins;
    this.#report = report;
    this.#typeOf = typeOf;
  }

  get name(): string {
    return this.head.name;
  }

  column(name: string): ImportedColumn | undefined {
    return this.#columns.get(name.toLowerCase());
  }

  /** Columns that follow a relationship to one row. */
  get paths(): readonly ImportedColumn[] {
    return [...this.#columns.values()].filter(({ relationship }) => relationship !== undefined);
  }

  /** False if another column has the name; then the column is refused. */
  add(column: ImportedColumn, at: FilePosition | undefined): boolean {
    const object = `column "${column.name}" of model "${this.name}"`;
    const existing = this.column(column.name);
    if (existing !== undefined && !(existing.isHidden === true && existing.expression === column.expression)) {
      this.#report.refuse(object, "Two objects have the name.", at);
      return false;
    }
    this.#origins.set(object, at);
    const { name, relationship, expression } = column;
    const isBare = this.#folds && relationship === undefined && expression === undefined;
    const added = isBare ? { ...column, expression: name } : column;
    this.#columns.set(name.toLowerCase(), added);
    if (column.isCalculated === true || relationship !== undefined) return true;
    const physical = physicalName(added);
    if (physical !== undefined && !this.#readers.physical.has(physical)) this.#readers.physical.set(physical, name);
    if (expression !== undefined && !this.#readers.expression.has(expression)) {
      this.#readers.expression.set(expression, name);
    }
    return true;
  }

  /**
   * The column with the value of an expression in the SQL of the source, made and hidden if no column has it. `wanted` is the name
   * that a new column gets; `declared` is the type of the expression, where it names one. Throws `Unmapped`.
   */
  input(expression: string, wanted: string, at: FilePosition | undefined, declared?: string): string {
    const physical = identifierIn(expression);
    const found =
      physical === undefined ? this.#readers.expression.get(expression) : this.#readers.physical.get(physical);
    if (found !== undefined) return found;
    if (physical === undefined) expressionIn(expression);
    const name = this.#freeName(physical ?? wanted);
    const type = declared ?? (physical === undefined ? undefined : this.#typeOf(physical)) ?? UNKNOWN_TYPE;
    const isPlain = physical !== undefined && name === physical;
    this.add({ name, type, ...(!isPlain && { expression }), isHidden: true }, at);
    return name;
  }

  /** The hidden column with the value of an expression in the input language. */
  calculated(expression: string, wanted: string, type: string, at: FilePosition | undefined): string {
    const found = [...this.#columns.values()].find(
      (column) => column.isCalculated === true && column.isHidden === true && column.expression === expression,
    );
    if (found !== undefined) return found.name;
    const name = this.#freeName(wanted);
    this.add({ name, type, isCalculated: true, expression, isHidden: true }, at);
    return name;
  }

  #freeName(wanted: string): string {
    let free = wanted;
    for (let number = 2; this.column(free) !== undefined; number++) free = `${wanted}_${number}`;
    return free;
  }

  toJson(): ImportedModel {
    const { primaryKey, uniqueKeys, rules } = this;
    const [only] = primaryKey;
    return {
      ...this.head,
      columns: [...this.#columns.values()],
      ...(only !== undefined && { primaryKey: primaryKey.length === 1 ? only : primaryKey }),
      ...(uniqueKeys.length > 0 && { uniqueKeys }),
      ...(rules.length > 0 && { rowLevelAccessControls: rules }),
    };
  }
}

function physicalName({ name, expression }: ImportedColumn): string | undefined {
  return expression === undefined ? name : identifierIn(expression);
}
