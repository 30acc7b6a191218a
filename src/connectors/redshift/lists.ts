/** SUPER values in the columns of an answer: JSON texts, which are lists where the plan has an array of texts, whole numbers or booleans. */
import type { Statement } from "../connector.ts";
import { listOf, readList } from "../http/json-lists.ts";
import { type ColumnReading, needsSample, readColumns } from "../postgres/rows.ts";

export const listsOf = ({ columns: meant }: Pick<Statement, "columns">): ColumnReading => ({
  needsSample,
  readColumns: (fields, context, sample) =>
    readColumns(fields, context, sample).map((column, index) => {
      const list = column.type.kind === "json" ? listOf(meant[index]?.type) : undefined;
      return list === undefined ? column : { ...column, type: list, read: (text) => readList(text, list) };
    }),
});
