/** Objects of the project by name, in at most 12,000 characters: long descriptions are cut first. */
import { nearestNames } from "../../planner/suggest.ts";
import { ToolFailure } from "../answers.ts";
import { type Catalogue, catalogueOf, type Found, linesOf, objectsOf, type TextSizes } from "../catalogue.ts";
import { OUT, outputOf } from "./schemas.ts";
import { type Arguments, listOf, type Tool, type ToolAnswer } from "./tool.ts";

/** Characters of the result, text and structure together. */
const MOST_CHARACTERS = 12_000;
const MOST_NAMES = 20;

/** Tried in this order until the text has room. */
const SIZES: readonly (TextSizes & { readonly note?: string })[] = [
  { description: 2000 },
  { description: 300, note: "Descriptions are cut to 300 characters." },
  { description: 80, note: "Descriptions are cut to 80 characters." },
  { description: 0, bare: true, note: "Descriptions are left out: describe fewer objects to read them." },
];

export const describeTool: Tool = {
  name: "describe",
  title: "Describe models and cubes",
  description:
    "Shows models (columns with types and keys, paths to other models), cubes (measures, dimensions) and views by name.",
  inputSchema: {
    type: "object",
    properties: {
      names: {
        type: "array",
        items: { type: "string", maxLength: 200 },
        minItems: 1,
        maxItems: MOST_NAMES,
        description: "Names of models, cubes or views, as search returns them.",
      },
    },
    required: ["names"],
    additionalProperties: false,
  },
  outputSchema: outputOf({ objects: OUT.list, omitted: OUT.texts, truncated: OUT.flag }),
  run: async (session, given) => described(await catalogueOf(session), given),
};

function described(catalogue: Catalogue, given: Arguments): ToolAnswer {
  const objects = objectsOf(catalogue);
  const names = [...new Set((listOf(given, "names") ?? []).map(String))];
  const found = names.flatMap((name) => objects.filter(({ object }) => object.name === name));
  const unknown = names.filter((name) => !found.some(({ object }) => object.name === name));
  const missing = unknown.map((name) => missingText(name, objects));
  if (found.length === 0) {
    const suggestions = unknown.flatMap((name) => nearestNames(name, namesOf(objects)));
    throw new ToolFailure(missing.join("\n"), { errorCode: "NOT_FOUND", reason: "OBJECT_NOT_FOUND", suggestions });
  }
  return fitted(found, missing);
}

const namesOf = (objects: readonly Found[]): readonly string[] => objects.map(({ object }) => object.name);

function missingText(name: string, objects: readonly Found[]): string {
  const near = nearestNames(name.slice(0, 60), namesOf(objects));
  const hint = near.length === 0 ? "Use search to find names." : `Similar names: ${near.join(", ")}.`;
  return `There is no model, cube or view ${name.slice(0, 60)} that you may see. ${hint}`;
}

function fitted(found: readonly Found[], missing: readonly string[]): ToolAnswer {
  for (const sizes of SIZES) {
    const answer = answerOf(found, missing, sizes);
    if (JSON.stringify(answer).length <= MOST_CHARACTERS) return answer;
  }
  // Members are left out last: the longest beginning of the list that has room.
  const bare = SIZES.at(-1) ?? { description: 0 };
  let shown = 0;
  let answer = answerOf([], missing, bare, found, 0);
  const members = found.reduce((sum, object) => sum + linesOf(object, bare).length, 0);
  let step = members;
  while (step > 0) {
    const next = answerOf([], missing, bare, found, shown + step);
    if (JSON.stringify(next).length <= MOST_CHARACTERS) {
      shown += step;
      answer = next;
      if (shown >= members) break;
    } else step = Math.floor(step / 2);
  }
  return answer;
}

/** With `lines`, the first lines of `cutFrom` in the place of whole objects. */
function answerOf(
  found: readonly Found[],
  missing: readonly string[],
  sizes: TextSizes & { readonly note?: string },
  cutFrom: readonly Found[] = [],
  lines = 0,
): ToolAnswer {
  const all = [...found, ...cutFrom].map((object) => ({ object, lines: linesOf(object, sizes) }));
  const room = cutFrom.length === 0 ? Number.POSITIVE_INFINITY : lines;
  const shown: { readonly object: Found; readonly lines: readonly string[]; readonly isWhole: boolean }[] = [];
  let left = room;
  for (const each of all) {
    const part = each.lines.slice(0, Math.max(left, 0));
    left -= part.length;
    if (part.length > 0) shown.push({ object: each.object, lines: part, isWhole: part.length === each.lines.length });
  }
  const omitted = all.filter(({ object }) => !shown.some((each) => each.object === object && each.isWhole));
  const names = omitted.slice(0, 20).map(({ object }) => object.object.name);
  const notes = [
    ...missing,
    ...(sizes.note === undefined ? [] : [`Note: ${sizes.note}`]),
    ...(omitted.length === 0
      ? []
      : [`TRUNCATED: ${omitted.length} objects are not or not wholly shown, among them ${names.join(", ")}.`]),
  ];
  return {
    text: [...notes, ...shown.flatMap((each) => each.lines)].join("\n"),
    structured: {
      // The text holds the members: a second copy would halve the room.
      objects: shown.map(({ object: { kind, object } }) => ({ kind, name: object.name })),
      ...(missing.length > 0 && { missing }),
      omitted: names,
      truncated: omitted.length > 0,
    },
  };
}
