/** A plan's report of the physical tables that it reads. */
import type { AccessPolicy } from "../access/policy.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import type { DeclaredColumn, PlanRead } from "../plan.ts";
import type { NativeFlavour } from "../syntax/lexical-rules.ts";
import type { ModelRead } from "./expansion.ts";
import type { ExpansionTarget } from "./expansion-target.ts";
import { physicalName } from "./physical.ts";

/** One entry per model, columns of all its occurrences that the caller may know of, in manifest order. */
export function readsOf(
  reads: readonly ModelRead[],
  access: AccessPolicy,
  { infersTypes, native }: Pick<ExpansionTarget, "infersTypes" | "native">,
): readonly PlanRead[] {
  const merged = new Map<string, { readonly read: ModelRead; readonly columns: Set<string> }>();
  for (const read of reads) {
    const known = merged.get(read.model.name);
    if (known === undefined) merged.set(read.model.name, { read, columns: new Set(read.columns) });
    else for (const column of read.columns) known.columns.add(column);
  }
  const entries = [...merged.values()].map(({ read: { model }, columns }) => ({ model, columns }));
  const restricted = new Set(
    infersTypes ? entries.flatMap(({ model }) => (access.withholds(model) ? keyOf(model) : [])) : [],
  );
  return entries.map(({ model, columns }) => ({
    model: model.name,
    columns: [...model.columnNames()].filter((name) => {
      const column = columns.has(name) ? model.column(name) : undefined;
      return column !== undefined && access.shows(column);
    }),
    physical: model.data.tableReference,
    ...(infersTypes && model.data.tableReference !== undefined && { declared: declaredOf(model, native) }),
    // A file is read once: if one model over it withholds something, every model over it is restricted.
    ...(infersTypes &&
      model.data.tableReference !== undefined &&
      !keyOf(model).some((key) => restricted.has(key)) && { infersOthers: true as const }),
    ...(infersTypes && model.data.tableReference !== undefined && csvOf(model)),
  }));
}

function csvOf({ data: { csv } }: Model): Pick<PlanRead, "csv"> {
  return csv === undefined || csv === null ? {} : { csv };
}

/** None for a model that is no physical table. File systems may know case; the engine that reads the files does not. */
function keyOf({ data: { tableReference } }: Model): readonly string[] {
  if (tableReference === undefined) return [];
  const { catalog, schema, table } = tableReference;
  return [JSON.stringify([catalog, schema, table]).toLowerCase()];
}

/** A query that names the column reports errors in its expression. */
function nameIfValid(model: Model, column: ModelColumn, flavour: NativeFlavour): string | undefined {
  try {
    return physicalName(model, column, flavour);
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

/** A column with the name of a physical one describes it better than an expression that only names it. */
function declaredOf(model: Model, flavour: NativeFlavour): readonly DeclaredColumn[] {
  const declared = new Map<string, DeclaredColumn>();
  for (const kind of ["plain", "source"] as const) {
    for (const each of model.columnNames()) {
      const column = model.column(each);
      if (column?.kind !== kind) continue;
      const name = nameIfValid(model, column, flavour);
      if (name !== undefined && !declared.has(name.toLowerCase()))
        declared.set(name.toLowerCase(), { name, type: column.type });
    }
  }
  return [...declared.values()];
}
