/** The operations of `/openapi.json`, in groups, with their references resolved. */

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of JSON Schema that the service writes. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Body {
  readonly schema: Schema;
  readonly example?: Json;
}

export interface Answer {
  readonly status: string;
  readonly description: string;
  readonly types: readonly string[];
  readonly example?: unknown;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly answers: readonly Answer[];
}

export interface Group {
  readonly title: string;
  readonly operations: readonly Operation[];
}

export interface Reference {
  readonly version: string;
  readonly description: string;
  readonly groups: readonly Group[];
  /** Whether requests need a key or a token. */
  readonly needsCredential: boolean;
  /** The schema itself, or the one that it refers to. */
  readonly resolve: (schema: Schema) => Schema;
}

/** Groups in the order in which they are shown, by the beginning of the path. */
const GROUPS: readonly (readonly [title: string, prefix: RegExp])[] = [
  ["Projects", /^\/v3\/projects/],
  ["Queries and plans", /^\/v3\/connector\/.*(?:query|plan|explain|cube|substitute|validate)/],
  ["Metadata of a source", /^\/v3\/connector\/\{data_source\}\/metadata/],
  ["Functions and knowledge", /^\/v3\/connector/],
  ["Analysis of SQL", /^\/v3\/analysis/],
  ["Service", /^\/(?!v2)/],
  ["Deprecated: version 2", /^\/v2\//],
];

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
      }
    >
  >;
}

interface RawDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly security: readonly unknown[];
}

export function referenceOf(document: unknown): Reference {
  const { info, paths, security } = document as RawDocument;
  const at = (reference: string): unknown =>
    reference
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((value, part) => (isJson(value) ? value[part] : undefined), document);
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : ((at(schema.$ref) as Schema | undefined) ?? {});
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]): Operation => {
      const body = raw.requestBody?.content["application/json"];
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        summary: raw.summary,
        isDeprecated: raw.deprecated === true,
        parameters: (raw.parameters ?? []).map((parameter) =>
          parameter.$ref === undefined ? parameter : (at(parameter.$ref) as Parameter),
        ),
        ...(body !== undefined && { body }),
        answers: Object.entries(raw.responses).map(([status, { description, content = {} }]) => ({
          status,
          description,
          types: Object.keys(content),
          ...(content["application/json"]?.example !== undefined && { example: content["application/json"].example }),
        })),
      };
    }),
  );
  const placed = new Map<string, Operation[]>(GROUPS.map(([title]) => [title, []]));
  for (const operation of operations) {
    const [title = ""] = GROUPS.find(([, prefix]) => prefix.test(operation.path)) ?? [];
    placed.get(title)?.push(operation);
  }
  return {
    version: info.version,
    description: info.description,
    groups: [...placed].flatMap(([title, list]) => (list.length === 0 ? [] : [{ title, operations: list }])),
    needsCredential: security.length > 0,
    resolve,
  };
}

/** The operations that have all words in their summary, path or name. */
export function found(groups: readonly Group[], text: string): readonly Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap(({ title, operations }) => {
    const kept = operations.filter(({ id, method, path, summary }) => {
      const line = `${title} ${id} ${method} ${path} ${summary}`.toLowerCase();
      return words.every((word) => line.includes(word));
    });
    return kept.length === 0 ? [] : [{ title, operations: kept }];
  });
}
