/** Declared types beside those that the source reports. */

import { targetOf } from "../../src/planner/dialects/targets.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { ManifestData } from "../../src/planner/manifest/data.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { parseTypeName } from "../../src/planner/syntax/parser.ts";
import { describeType, type SqlType, type TypeNames, typeOfName } from "../../src/planner/types.ts";
import type { ManifestJson, ModelJson } from "../init/manifest-json.ts";
import { identifierIn } from "../project/identifier.ts";

export interface TypeDifference {
  readonly model: string;
  readonly column: string;
  readonly declared: string;
  /** Type of the source, in words of a manifest. */
  readonly reported: string;
}

/**
 * Columns whose declared type is not that of the source. A type that either side does not know, and digits of a decimal that
 * either side leaves out, are no difference.
 */
export function typeDifferences(
  { models }: Pick<ManifestData, "models">,
  listed: Pick<ManifestJson, "models">,
  source: DataSource,
): readonly TypeDifference[] {
  const { typeNames } = targetOf(source);
  return models.flatMap(({ dataIfValid: model }): readonly TypeDifference[] => {
    const table = model?.tableReference === undefined ? undefined : tableOf(model.tableReference, listed.models);
    if (model === undefined || table === undefined) return [];
    return model.columns.flatMap((column): readonly TypeDifference[] => {
      if (column.relationship !== undefined || column.isCalculated) return [];
      const physical = column.expression === undefined ? column.name : identifierIn(column.expression);
      const reported = physical === undefined ? undefined : typeIn(table, physical);
      if (reported === undefined || agrees(typeNamed(column.type, typeNames), typeNamed(reported, typeNames)))
        return [];
      return [{ model: model.name, column: column.name, declared: column.type, reported }];
    });
  });
}

/** The listed table. A reference without a schema means a name that only one listed table has. */
function tableOf(
  { schema, table }: { readonly schema?: string; readonly table: string },
  listed: readonly ModelJson[],
): ModelJson | undefined {
  const named = listed.filter(({ tableReference }) => tableReference.table === table);
  const found = schema === undefined ? named : named.filter(({ tableReference }) => tableReference.schema === schema);
  return found.length === 1 ? found[0] : undefined;
}

function typeIn({ columns }: ModelJson, name: string): string | undefined {
  const named = columns.map(({ name: own, expression, type }) => {
    return { physical: expression === undefined ? own : (identifierIn(expression) ?? own), type };
  });
  const exact = named.find(({ physical }) => physical === name);
  if (exact !== undefined) return exact.type;
  const alike = named.filter(({ physical }) => physical.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0]?.type : undefined;
}

/** Undefined for a text that is no type's name, which the checks of the model report. */
function typeNamed(text: string, names: TypeNames): SqlType | undefined {
  try {
    return typeOfName(parseTypeName(text, DEFAULT_LIMITS), names);
  } catch {
    return undefined;
  }
}

function agrees(declared: SqlType | undefined, reported: SqlType | undefined): boolean {
  if (declared === undefined || reported === undefined) return true;
  if (declared.kind === "opaque" || reported.kind === "opaque") return true;
  if (declared.kind === "decimal" && reported.kind === "decimal") {
    return (
      declared.precision === undefined ||
      reported.precision === undefined ||
      describeType(declared) === describeType(reported)
    );
  }
  // A modeller knows more than a source that has no type for these values.
  if (declared.kind === "boolean" && reported.kind === "integer") return reported.bits === 8;
  if (declared.kind === "integer" && reported.kind === "decimal") return (reported.scale ?? 0) === 0;
  if ((declared.kind === "json" || declared.kind === "uuid") && reported.kind === "text") return true;
  if (declared.kind === "json" && reported.kind === "json") return true;
  if (declared.kind === "array" && reported.kind === "array") return agrees(declared.element, reported.element);
  if (declared.kind === "row" && reported.kind === "row") return true;
  return describeType(declared) === describeType(reported);
}
