/** Functions of SQL that the project's source is planned with. */
import { nearestNames } from "../../planner/suggest.ts";
import { jsonOf } from "../answers.ts";
import { cut } from "../catalogue.ts";
import { OUT, outputOf } from "./schemas.ts";
import { type Tool, textOf } from "./tool.ts";

const MOST_SHOWN = 40;
const MOST_NAMES = 400;
const LONGEST_NOTE = 2000;

interface FunctionRecord {
  readonly function_type: string;
  readonly name: string;
  readonly return_type: string | null;
  readonly param_names: string | null;
  readonly param_types: string | null;
  readonly description: string | null;
}

export const functionsTool: Tool = {
  name: "functions",
  title: "List SQL functions",
  description:
    "Lists functions that statements may call, with their signatures. Without a term it lists names, and rules for writing SQL.",
  inputSchema: {
    type: "object",
    properties: { term: { type: "string", maxLength: 100, description: "A part of a name or of a description." } },
    additionalProperties: false,
  },
  outputSchema: outputOf({ functions: OUT.list, names: OUT.texts, truncated: OUT.flag, rules: OUT.text }),
  run: async ({ ask }, given) => {
    const records = await jsonOf<readonly FunctionRecord[]>(await ask("functions", undefined, {}));
    const names = [...new Set(records.map(({ name }) => name))].toSorted();
    const term = textOf(given, "term")?.trim().toLowerCase() ?? "";
    if (term === "") {
      const knowledge = await jsonOf<{ readonly text_to_sql_rule: string }>(await ask("knowledge", undefined, {}));
      const shown = names.slice(0, MOST_NAMES);
      const truncated = shown.length < names.length;
      const rules = cut(knowledge.text_to_sql_rule, LONGEST_NOTE);
      return {
        text: `${rules}\n\n${truncated ? "TRUNCATED: " : ""}${shown.length} of ${names.length} functions: ${shown.join(", ")}`,
        structured: { functions: [], names: shown, truncated, rules },
      };
    }
    const near = new Set(nearestNames(term, names));
    const found = [
      ...records.filter(({ name }) => name.toLowerCase() === term),
      ...records.filter(({ name }) => name.toLowerCase() !== term && name.toLowerCase().includes(term)),
      ...records.filter(
        ({ name, description }) =>
          !name.toLowerCase().includes(term) && description?.toLowerCase().includes(term) === true,
      ),
    ];
    const all = found.length > 0 ? found : records.filter(({ name }) => near.has(name));
    const shown = all.slice(0, MOST_SHOWN).map((record) => ({
      name: record.name,
      kind: record.function_type,
      signature: signatureOf(record),
      ...(record.description !== null && { description: cut(record.description, 200) }),
    }));
    const more = all.length - shown.length;
    const lines = shown.map(
      ({ signature, description }) => `${signature}${description === undefined ? "" : `: ${description}`}`,
    );
    const end =
      shown.length === 0
        ? ["No function matches. Call functions without a term to list all names."]
        : more > 0
          ? [`TRUNCATED: ${more} more signatures.`]
          : [];
    return {
      text: [...lines, ...end].join("\n"),
      structured: { functions: shown, names: [...new Set(shown.map(({ name }) => name))], truncated: more > 0 },
    };
  },
};

function signatureOf({ name, param_names, param_types, return_type }: FunctionRecord): string {
  const parameters = param_types ?? param_names ?? "";
  return `${name}(${parameters})${return_type === null ? "" : ` → ${return_type}`}`;
}
