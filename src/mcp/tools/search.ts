/** Finds objects of the project by words. */
import { jsonOf } from "../answers.ts";
import { cut, oneLine } from "../catalogue.ts";
import { OUT, outputOf } from "./schemas.ts";
import { listOf, numberOf, type Tool, textOf } from "./tool.ts";

const KINDS = ["model", "column", "view", "cube", "measure", "dimension", "example"] as const;
const LONGEST_NAME = 300;
const LONGEST_DESCRIPTION = { names: 0, short: 200, full: 2000 } as const;
/** Characters of the result, text and structure together. */
const MOST_CHARACTERS = 12_000;

interface Match {
  readonly kind: string;
  readonly name: string;
  readonly of?: string;
  readonly type?: string;
  readonly description?: string;
}

export const searchTool: Tool = {
  name: "search",
  title: "Find models, columns and cubes",
  description:
    "Finds models, columns, cubes, measures and checked examples by words of a question. Without a question it lists models and cubes. Start here.",
  inputSchema: {
    type: "object",
    properties: {
      question: { type: "string", maxLength: 500, description: "Words to look for." },
      within: { type: "string", maxLength: 200, description: "A model or a cube: only its members." },
      kinds: { type: "array", items: { type: "string", enum: KINDS }, description: "Only objects of these kinds." },
      limit: { type: "integer", minimum: 1, maximum: 50, description: "Most matches; 10 by default." },
      detail: { type: "string", enum: ["names", "full"], description: "Names alone, or whole descriptions." },
    },
    additionalProperties: false,
  },
  outputSchema: outputOf({ matches: OUT.list, more: OUT.integer, truncated: OUT.flag }),
  run: async ({ ask }, given) => {
    const detail =
      textOf(given, "detail") === "names" ? "names" : textOf(given, "detail") === "full" ? "full" : "short";
    const body = {
      question: textOf(given, "question"),
      within: textOf(given, "within"),
      kinds: listOf(given, "kinds"),
      limit: numberOf(given, "limit"),
    };
    const { matches, more } = await jsonOf<{ readonly matches: readonly Match[]; readonly more: number }>(
      await ask("search", body, {}),
    );
    const longest = LONGEST_DESCRIPTION[detail];
    const shown = matches.map(({ description, name, ...match }) => ({
      ...match,
      name: cut(name, LONGEST_NAME),
      ...(description !== undefined &&
        // The SQL of an example is its answer.
        (longest > 0 || match.kind === "example") && {
          description: cut(description, match.kind === "example" ? LONGEST_DESCRIPTION.full : longest),
        }),
    }));
    let kept = shown;
    for (;;) {
      const answer = answerOf(kept, more + shown.length - kept.length, kept.length < shown.length);
      if (JSON.stringify(answer).length <= MOST_CHARACTERS || kept.length === 0) return answer;
      kept = kept.slice(0, -1);
    }
  },
};

function answerOf(matches: readonly Match[], more: number, truncated: boolean) {
  const lines = matches.map(({ kind, name, of, type, description }) => {
    const path = of === undefined ? name : `${of}.${name}`;
    const about = description === undefined ? "" : `: ${oneLine(description)}`;
    return `${kind} ${oneLine(path)}${type === undefined ? "" : ` ${type}`}${about}`;
  });
  const end =
    matches.length === 0
      ? "Nothing matches. Use other words, or search without a question to list models and cubes."
      : more > 0
        ? `TRUNCATED: ${more} more matches. Narrow the question, or use within, kinds or limit.`
        : "";
  return {
    text: [...lines, ...(end === "" ? [] : [end])].join("\n"),
    structured: { matches, more, truncated: truncated || more > 0 },
  };
}
