/** ``text.`/path` `` is a file of the server, whatever its format's name, where no setting of the session says otherwise. */
import { unsupported } from "../../diagnostics.ts";
import type { Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";

/** https://docs.databricks.com/aws/en/query/formats/ */
const FORMATS: ReadonlySet<string> = new Set(
  "avro binaryfile csv delta excel hudi iceberg image jdbc json kafka libsvm orc parquet sharedtable text xml".split(
    " ",
  ),
);

/** A class of Java would be a format, too, and a path is no name of a table. */
const isFile = (schema: string, table: string): boolean =>
  FORMATS.has(schema.toLowerCase()) || schema.includes(".") || /[/\\:]/.test(table);

export function withoutFiles(statement: Query): Query {
  walk(statement, (node) => {
    if (node.kind !== "physical-table" || node.name.length !== 2) return true;
    const [schema, table] = node.name;
    if (schema !== undefined && table !== undefined && isFile(schema.name, table.name)) {
      throw unsupported("a table in a schema that is called as a file format is", node.span, "Name its catalog, too.");
    }
    return true;
  });
  return statement;
}
