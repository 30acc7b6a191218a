/** ``text.`/path` `` is a file of the server, whatever its format's name, where no setting of the session says otherwise. */
import { unsupported } from "../../diagnostics.ts";
import type { PhysicalTable } from "../../syntax/tree.ts";

/** https://docs.databricks.com/aws/en/query/formats/ */
const FORMATS: ReadonlySet<string> = new Set(
  "avro binaryfile csv delta excel hudi iceberg image jdbc json kafka libsvm orc parquet sharedtable text xml".split(
    " ",
  ),
);

/** A class of Java would be a format, too, and a path is no name of a table. */
const isFile = (schema: string, table: string): boolean =>
  FORMATS.has(schema.toLowerCase()) || schema.includes(".") || /[/\\:]/.test(table);

export function refuseFile({ name, span }: PhysicalTable): void {
  const [schema, table, ...more] = name;
  if (schema === undefined || table === undefined || more.length > 0 || !isFile(schema.name, table.name)) return;
  throw unsupported("a table in a schema that is called as a file format is", span, "Name its catalog, too.");
}
