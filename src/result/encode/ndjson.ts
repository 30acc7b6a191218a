import { convertColumns } from "../conversion/convert.ts";
import type { Encoder } from "./encoder.ts";
import { rowsAsJson } from "./rows.ts";
import { encodeText } from "./text-stream.ts";

/**
 * One JSON value per line (docs/decisions/0007-formats.md): `{"columns":[…],"dtypes":{…}}`, on request with `"types":[…]`, then an array per row, then
 * `{"end":{"rows":n}}`, or `{"error":…}` in its place (docs/decisions/0008-failure-behind-the-first-byte.md). Values are those of
 * the JSON encoder.
 */
export const ndjsonEncoder: Encoder = {
  contentType: "application/x-ndjson",
  lateFailure: "error-line",
  begin(stream, options) {
    const source = convertColumns(stream, options.columnDtypes, options.zone);
    const json = rowsAsJson(source.columns, options);
    return encodeText(
      source,
      {
        head: `{"columns":${json.columns},"dtypes":${json.dtypes()}${options.columnTypes === true ? `,"types":${json.types()}` : ""}}\n`,
        row: (row) => `${json.row(row)}\n`,
        frameRows: () => json.frameRows({ between: "", after: "\n" }),
        end: (rows) => `{"end":{"rows":${rows}}}\n`,
        failure: (error) => ({
          bytes: new TextEncoder().encode(`{"error":${JSON.stringify(options.describeFailure(error))}}\n`),
          isOver: true,
        }),
      },
      options,
    );
  },
};
