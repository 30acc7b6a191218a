/** Values of a column, for filters. */
import { jsonOf } from "../answers.ts";
import { cut } from "../catalogue.ts";
import { OUT, outputOf } from "./schemas.ts";
import { numberOf, type Tool, textOf } from "./tool.ts";

/** Longer values are cut: a filter by them needs LIKE. */
const LONGEST_VALUE = 200;

export const valuesTool: Tool = {
  name: "values",
  title: "List values of a column",
  description:
    "Lists distinct values of a column, so that a filter compares with texts that exist, in their spelling. Use it before a filter on a text.",
  inputSchema: {
    type: "object",
    properties: {
      column: { type: "string", maxLength: 400, description: "A column as model.column." },
      term: { type: "string", maxLength: 500, description: "Only values that contain it, in any case." },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "Most values; 100 by default." },
    },
    required: ["column"],
    additionalProperties: false,
  },
  outputSchema: outputOf({ values: OUT.texts, truncated: OUT.flag }),
  run: async ({ ask }, given) => {
    const column = textOf(given, "column") ?? "";
    const body = { column, term: textOf(given, "term"), limit: numberOf(given, "limit") };
    const answer = await jsonOf<{ readonly values: readonly string[]; readonly truncated: boolean }>(
      await ask("values", body, {}),
    );
    const values = answer.values.map((value) => cut(value, LONGEST_VALUE));
    const { truncated } = answer;
    const count = `${values.length} ${values.length === 1 ? "value" : "values"}`;
    const head = truncated ? `TRUNCATED: the first ${count}; use term to find others.` : `${count}, complete.`;
    return {
      text: [head, ...values.map((value) => JSON.stringify(value))].join("\n"),
      structured: { values, truncated },
    };
  },
};
