import { convertColumns } from "../conversion/convert.ts";
import type { Encoder } from "./encoder.ts";
import { rowsAsJson } from "./rows.ts";
import { encodeText } from "./text-stream.ts";

/**
 * `{"columns":[…],"data":[[…],…],"dtypes":{…}}`, with the members in that order (docs/spec/contract.md#answers). Integers of any
 * size and, in `classic`, decimals are JSON numbers with their exact digits.
 */
export const jsonEncoder: Encoder = {
  contentType: "application/json",
  lateFailure: "break-off",
  begin(stream, options) {
    const source = convertColumns(stream, options.columnDtypes, options.zone);
    const json = rowsAsJson(source.columns, options);
    return encodeText(
      source,
      {
        head: `{"columns":${json.columns},"data":[`,
        row: (row, index) => (index === 0 ? json.row(row) : `,${json.row(row)}`),
        frameRows: () => json.frameRows({ between: ",", after: "" }),
        end: () => `],"dtypes":${json.dtypes()}}`,
        // The closing brace is missing on purpose: no parser accepts the answer as complete.
        failure: (error) => ({
          bytes: new TextEncoder().encode(`],"error":${JSON.stringify(options.describeFailure(error))}`),
          isOver: false,
        }),
      },
      options,
    );
  },
};
