/** Resources: the project's texts in Markdown. */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { ToolFailure } from "./answers.ts";
import { type Catalogue, catalogueOf, cut, type Found, linesOf, objectsOf, oneLine } from "./catalogue.ts";
import type { Session } from "./use-cases.ts";
import { readView, VIEW_RESOURCE, VIEW_URI } from "./view.ts";

const MARKDOWN = "text/markdown";
/** Characters of one resource. */
const MOST_CHARACTERS = 60_000;

export function listResources({ project: { name, hasView } }: Session): ListResourcesResult {
  const own = (path: string, title: string, description: string) => ({
    uri: `siskin://${name}/${path}`,
    name: path,
    title,
    description,
    mimeType: MARKDOWN,
  });
  return {
    resources: [
      own("model", "Model", "Models, cubes and views with one line each."),
      own("instructions", "Instructions", "Notes of the project's operator."),
      own("examples", "Examples", "Questions with checked SQL."),
      ...(hasView ? [VIEW_RESOURCE] : []),
    ],
  };
}

export function RESOURCE_TEMPLATES({ project: { name } }: Session): ListResourceTemplatesResult {
  const own = (kind: "model" | "cube", description: string) => ({
    uriTemplate: `siskin://${name}/${kind}/{name}`,
    name: kind,
    title: kind === "model" ? "One model" : "One cube",
    description,
    mimeType: MARKDOWN,
  });
  return {
    resourceTemplates: [
      own("model", "Columns, keys and paths of a model."),
      own("cube", "Measures and dimensions of a cube."),
    ],
  };
}

export async function readResource(session: Session, uri: string): Promise<ReadResourceResult> {
  if (uri === VIEW_URI) {
    const view = await readView(session);
    if (view === undefined) throw notFound();
    return view;
  }
  const text = await textAt(session, uri);
  if (text === undefined) throw notFound();
  return { contents: [{ uri, mimeType: MARKDOWN, text: capped(text) }] };
}

async function textAt(session: Session, uri: string): Promise<string | undefined> {
  const prefix = `siskin://${session.project.name}/`;
  if (!uri.startsWith(prefix)) return undefined;
  const [kind, name, ...rest] = uri.slice(prefix.length).split("/").map(decoded);
  if (rest.length > 0) return undefined;
  const catalogue = await whole(session);
  if (name !== undefined) {
    const found = objectsOf(catalogue).find((each) => each.kind === kind && each.object.name === name);
    return found === undefined || found.kind === "view" ? undefined : linesOf(found, { description: 2000 }).join("\n");
  }
  switch (kind) {
    case "model":
      return overview(catalogue);
    case "instructions":
      return catalogue.instructions ?? "The project has no instructions.";
    case "examples":
      return catalogue.examples.length === 0
        ? "The project has no examples."
        : catalogue.examples.map(({ question, sql }) => `- ${oneLine(question)}\n\n  ${oneLine(sql)}`).join("\n");
    default:
      return undefined;
  }
}

async function whole(session: Session): Promise<Catalogue> {
  try {
    return await catalogueOf(session);
  } catch (error) {
    if (error instanceof ToolFailure) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function overview(catalogue: Catalogue): string {
  const { title, name, description } = catalogue;
  const line = ({ kind, object }: Found): string => {
    const about = object.description === undefined ? "" : `: ${cut(oneLine(object.description), 200)}`;
    return `- ${kind} ${object.name}${about}`;
  };
  return [
    `# ${oneLine(title ?? name)}`,
    ...(description === undefined ? [] : [oneLine(description)]),
    ...objectsOf(catalogue).map(line),
  ].join("\n");
}

function capped(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const end = "\nTRUNCATED: the rest has no room; use the tools search and describe.";
  return text.slice(0, MOST_CHARACTERS - end.length) + end;
}

function notFound(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no resource of that address that you may see.");
}
