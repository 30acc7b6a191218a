/**
 * Tables, columns and schemas of the Glue database of a connection (docs/spec/contract.md#metadata-of-each-source), from Athena's
 * information schema over Glue's catalogue. The queries refer to the current catalog and schema, so they contain no text from
 * outside. Glue has no keys.
 */
import type { CallOptions, Connector } from "../connector.ts";
import { eachRowOf } from "./each-row.ts";
import { type InformationSchema, readInformationSchema } from "./information-schema.ts";
import { trinoTypeName } from "./trino.ts";
import { withoutParameters } from "./type-text.ts";
import type { CatalogAnswers, CatalogRequest } from "./types.ts";

export async function readAthenaCatalog<K extends CatalogRequest["kind"]>(
  source: Pick<Connector, "query">,
  request: Extract<CatalogRequest, { kind: K }>,
  options: CallOptions,
): Promise<CatalogAnswers[K]> {
  if (request.kind === "version") return VERSION as CatalogAnswers[K];
  return readInformationSchema<K>(eachRowOf(source, options), ATHENA, request);
}

/** Athena has no version, and clients compare this text (docs/spec/contract.md#metadata-of-files). */
const VERSION = "AWS Athena - Follow AWS service versioning";

const ATHENA: InformationSchema = {
  // Tables are files of any format, which the information schema does not report.
  tables: `
    SELECT table_catalog, table_schema, table_name, '', CASE table_type WHEN 'VIEW' THEN 'YES' ELSE 'NO' END
    FROM information_schema.tables WHERE table_schema = current_schema
    ORDER BY table_name`,
  columns: `
    SELECT table_catalog, table_schema, table_name, column_name, data_type, is_nullable, comment
    FROM information_schema.columns WHERE table_schema = current_schema
    ORDER BY table_name, ordinal_position`,
  schemas: `
    SELECT catalog_name, schema_name FROM information_schema.schemata
    WHERE schema_name <> 'information_schema' ORDER BY schema_name`,
  version: "",
  typeName: athenaTypeName,
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};

/** Hive's type names, which some Glue tables have. */
const HIVES: ReadonlyMap<string, string> = new Map([
  ["float", "FLOAT4"],
  ["int", "INTEGER"],
  ["string", "VARCHAR"],
  ["binary", "BYTEA"],
  ["datetime", "TIMESTAMP"],
]);

/** Composite types are unknown (docs/spec/contract.md#type-names-of-metadata). */
export function athenaTypeName(native: string): string {
  if (/^(?:array|map|row|struct)[(<]/.test(native)) return "UNKNOWN";
  return HIVES.get(withoutParameters(native)) ?? trinoTypeName(native);
}
