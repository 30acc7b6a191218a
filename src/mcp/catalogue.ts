/** The project as the caller may see it: the answer of its route, and its text for a model. */
import { jsonOf } from "./answers.ts";
import type { Session } from "./use-cases.ts";

export interface Described {
  readonly name: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface Typed extends Described {
  readonly type: string;
}

export interface Model extends Described {
  readonly primaryKey?: readonly string[];
  readonly columns: readonly (Typed & { readonly nullable: boolean })[];
  readonly paths: readonly (Described & { readonly model: string; readonly joinType: string })[];
}

export interface Cube extends Described {
  readonly measures: readonly Typed[];
  readonly dimensions: readonly Typed[];
  readonly timeDimensions: readonly Typed[];
}

export interface Catalogue {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly version: string;
  readonly dataSource: string;
  readonly instructions?: string;
  readonly examples: readonly { readonly question: string; readonly sql: string; readonly verified?: string }[];
  readonly models: readonly Model[];
  readonly views: readonly Described[];
  readonly cubes: readonly Cube[];
}

export async function catalogueOf({ ask }: Session): Promise<Catalogue> {
  return jsonOf<Catalogue>(await ask("project", undefined, {}));
}

/** Objects by name, as `describe` and resources show them. */
export type Found =
  | { readonly kind: "model"; readonly object: Model }
  | { readonly kind: "cube"; readonly object: Cube }
  | { readonly kind: "view"; readonly object: Described };

export function objectsOf({ models, cubes, views }: Catalogue): readonly Found[] {
  return [
    ...models.map((object): Found => ({ kind: "model", object })),
    ...cubes.map((object): Found => ({ kind: "cube", object })),
    ...views.map((object): Found => ({ kind: "view", object })),
  ];
}

export interface TextSizes {
  /** Longest description of an object or a member. */
  readonly description: number;
  /** Only names and types of members. */
  readonly bare?: boolean;
}

/** Lines of one object, in Markdown. */
export function linesOf({ kind, object }: Found, sizes: TextSizes): readonly string[] {
  const heading = `## ${kind} ${object.name}${saying(object, sizes)}`;
  switch (kind) {
    case "view":
      return [heading];
    case "model": {
      const keys = new Set(object.primaryKey);
      return [
        heading,
        ...object.columns.map((column) => {
          const marks = [column.type, keys.has(column.name) ? "key" : "", column.nullable ? "" : "not null"];
          return `- ${column.name} ${marks.filter((mark) => mark !== "").join(", ")}${saying(column, sizes)}`;
        }),
        ...object.paths.map(
          (path) =>
            `- path ${object.name}.${path.name} → ${path.model}, ${joinText(path.joinType)}${saying(path, sizes)}`,
        ),
      ];
    }
    case "cube":
      return [
        heading,
        ...object.measures.map((member) => `- measure ${member.name} ${member.type}${saying(member, sizes)}`),
        ...object.dimensions.map((member) => `- dimension ${member.name} ${member.type}${saying(member, sizes)}`),
        ...object.timeDimensions.map(
          (member) => `- time dimension ${member.name} ${member.type}${saying(member, sizes)}`,
        ),
      ];
    default:
      return kind satisfies never;
  }
}

const joinText = (joinType: string): string => joinType.toLowerCase().replaceAll("_", " ");

/** Properties that help to write a statement. */
const TOLD = ["displayName", "synonyms", "unit", "format", "examples"];

function saying({ description, properties = {} }: Described, { description: longest, bare }: TextSizes): string {
  if (bare === true) return "";
  const own = description ?? textOf(properties["description"]);
  const more = TOLD.flatMap((name) => {
    const text = textOf(properties[name]);
    return text === "" ? [] : [`${name}: ${text}`];
  });
  const parts = [own, ...more].filter((part) => part !== undefined && part !== "").join("; ");
  return parts === "" ? "" : `: ${cut(oneLine(parts), longest)}`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.filter((each) => typeof each === "string").join(", ");
  return "";
}

/** A description may hold line breaks that would read as another object. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();

export const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, Math.max(longest - 1, 0))}…`;
