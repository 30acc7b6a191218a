/** The manifest's names of source objects: physical tables, physical columns, native SQL. */
import { ownerOf } from "../manifest/calculated.ts";
import { inExpression } from "../manifest/faults.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import { lexNativeExpression, lexNativeQuery, type NativeExpression } from "../syntax/native.ts";
import type { Span, TableAlias, TableExpression } from "../syntax/tree.ts";
import { name } from "./select.ts";

/** The physical column behind a model column; `undefined` when it is computed. */
export function physicalName(model: Model, column: ModelColumn, flavour: NativeFlavour): string | undefined {
  if (column.kind === "plain") return foldedName(column.name, flavour);
  if (column.kind !== "source" || column.expression === undefined) return undefined;
  return nativeExpression(model, column, flavour).bareName;
}

export function nativeExpression(model: Model, column: ModelColumn, flavour: NativeFlavour): NativeExpression {
  return inExpression(ownerOf(model, column), () => lexNativeExpression(column.expression ?? "", flavour));
}

/** For a source that folds unquoted names to upper case. A name that needs quotes is kept letter by letter. */
function foldedName(written: string, { foldsManifestNames, reserved }: NativeFlavour): string {
  const isBare = foldsManifestNames && /^[a-z_][a-z0-9_$]*$/.test(written) && !reserved.has(written);
  return isBare ? written.toUpperCase() : written;
}

/** `physical AS alias`, or the native `(SELECT …) AS alias`. */
export function sourceTable(model: Model, alias: string, span: Span, flavour: NativeFlavour): TableExpression {
  const tableAlias: TableAlias = { name: name(alias), columns: [] };
  const { tableReference, refSql } = model.data;
  if (tableReference !== undefined) {
    const parts = [tableReference.catalog, tableReference.schema, tableReference.table].filter(
      (part) => part !== undefined,
    );
    const physical = parts.map((part) => name(foldedName(part, flavour)));
    return { kind: "physical-table", name: physical, alias: tableAlias, span };
  }
  const owner = `refSql of model "${model.name}"`;
  const text = inExpression(owner, () => lexNativeQuery(refSql ?? "", flavour));
  return { kind: "opaque-table", text, owner, alias: tableAlias, span };
}
