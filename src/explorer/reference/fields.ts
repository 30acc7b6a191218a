/** Fields of a form, made from parameters and from the schema of a body. A field keeps text; `read` turns it into a value. */
import { isJson, type Operation, type Reference, type Schema } from "./document.ts";
import { compact } from "./json-text.ts";

export type FieldKind =
  | { readonly kind: "line" }
  | { readonly kind: "lines" }
  | { readonly kind: "number"; readonly whole: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "secret" }
  /** JSON that is sent as base64. */
  | { readonly kind: "manifest" }
  /** Lines of `name: value`, each of which becomes a header. */
  | { readonly kind: "headers" }
  | { readonly kind: "json"; readonly members: readonly Member[] };

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface Field {
  /** Unique among the fields of a form. */
  readonly key: string;
  readonly name: string;
  readonly in: "path" | "query" | "header" | "body";
  /** The members of the body that lead to this one. */
  readonly within: readonly string[];
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly description: string;
  readonly standard?: string;
}

/** Texts of a form by the key of their field; an empty text is an absent value. */
export type Texts = Readonly<Record<string, string>>;

/** An object of the body that has several forms, such as a connection by its fields or by a URL. */
export interface Choice {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly forms: readonly { readonly title: string; readonly fields: readonly Field[] }[];
}

export const keyOf = (place: Field["in"], ...path: readonly string[]): string => `${place}:${path.join(".")}`;

export function parameterFields({ parameters }: Operation): readonly Field[] {
  return parameters.map(({ name, in: place, required, description, schema }) => {
    const { default: standard } = schema;
    const kind: FieldKind = name.includes("{name}") ? { kind: "headers" } : kindOf(name, schema, (each) => each);
    return {
      key: keyOf(place, name),
      name,
      in: place,
      within: [],
      kind,
      isRequired: required,
      description,
      ...(standard !== undefined && { standard: String(standard) }),
    };
  });
}

/** Members of the body; `source` is the data source that the path names. */
export function bodyFields(
  { body }: Operation,
  { resolve }: Pick<Reference, "resolve">,
  source: string,
): readonly (Field | Choice)[] {
  if (body === undefined) return [];
  const schema = resolve(body.schema);
  return Object.entries(schema.properties ?? {}).map(([name, property]): Field | Choice => {
    const isRequired = schema.required?.includes(name) === true;
    const forms = formsOf(property, resolve).filter(({ title }) => isOfSource(title, source));
    if (forms.length === 0) return fieldOf(name, property, { isRequired, within: [], resolve });
    return {
      name,
      description: property.description ?? "",
      isRequired,
      forms: forms.map(({ title, schema: form }) => ({
        title: titleOf(title),
        fields: Object.entries(form.properties ?? {}).map(([member, inner]) =>
          fieldOf(member, inner, { isRequired: form.required?.includes(member) === true, within: [name], resolve }),
        ),
      })),
    };
  });
}

interface Form {
  readonly title: string;
  readonly schema: Schema;
}

/** Objects among the alternatives of a schema, which have a title each. */
function formsOf(schema: Schema, resolve: Reference["resolve"]): readonly Form[] {
  const own = resolve(schema);
  const branches = own.anyOf ?? own.oneOf;
  if (branches !== undefined) return branches.flatMap((branch) => formsOf(branch, resolve));
  const isForm = own.properties !== undefined && own.title?.startsWith("Connection_") === true;
  return isForm ? [{ title: own.title ?? "", schema: own }] : [];
}

const NAMED = "Connection_named";

function isOfSource(title: string, source: string): boolean {
  return title === NAMED || title === `Connection_${source}` || title.startsWith(`Connection_${source}_`);
}

function titleOf(title: string): string {
  if (title === NAMED) return "A connection of the operator, by name";
  if (title.endsWith("_url")) return "A URL";
  return title.endsWith("_fields") ? "Fields" : title.replace("Connection_", "").replaceAll("_", " ");
}

function fieldOf(
  name: string,
  schema: Schema,
  given: {
    readonly isRequired: boolean;
    readonly within: readonly string[];
    readonly resolve: Reference["resolve"];
  },
): Field {
  const { isRequired, within, resolve } = given;
  const { default: standard, const: constant } = schema;
  return {
    key: keyOf("body", ...within, name),
    name,
    in: "body",
    within,
    kind: kindOf(name, schema, resolve),
    isRequired,
    description: schema.description ?? resolve(schema).description ?? "",
    ...((standard ?? constant) !== undefined && { standard: String(standard ?? constant) }),
  };
}

const SECRET = /password|secret|token|private_?key|credentials/i;

function kindOf(name: string, given: Schema, resolve: Reference["resolve"]): FieldKind {
  const schema = withoutNull(resolve(given), resolve);
  if (name === "manifestStr") return { kind: "manifest" };
  if (schema.const !== undefined) return { kind: "choice", options: [String(schema.const)] };
  if (schema.enum !== undefined) {
    return { kind: "choice", options: schema.enum.filter((each) => each !== null).map(String) };
  }
  switch (typeOf(schema)) {
    case "string":
      if (SECRET.test(name)) return { kind: "secret" };
      return /^sqls?$/.test(name) ? { kind: "lines" } : { kind: "line" };
    case "integer":
    case "number": {
      const { minimum, maximum } = schema;
      const whole = typeOf(schema) === "integer";
      return {
        kind: "number",
        whole,
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
    case "boolean":
      return { kind: "flag" };
    default:
      return { kind: "json", members: membersOf(schema, resolve) };
  }
}

function membersOf({ properties = {}, required = [] }: Schema, resolve: Reference["resolve"]): readonly Member[] {
  return Object.entries(properties).map(([name, schema]) => {
    const inner = withoutNull(resolve(schema), resolve);
    const choices = inner.enum?.filter((each) => each !== null).join(", ");
    return {
      name,
      type: choices ?? typeOf(inner) ?? "any",
      isRequired: required.includes(name),
      description: schema.description ?? inner.description ?? "",
    };
  });
}

/** The only alternative that is not null. */
function withoutNull(schema: Schema, resolve: Reference["resolve"]): Schema {
  const branches = schema.anyOf?.filter(({ type }) => type !== "null");
  const [only, another] = branches ?? [];
  return only !== undefined && another === undefined ? resolve(only) : schema;
}

function typeOf({ type }: Schema): string | undefined {
  if (typeof type === "string" || type === undefined) return type;
  const [only, another] = type.filter((each) => each !== "null");
  return another === undefined ? only : undefined;
}

/** Texts of the form that make the operation's own example. */
export function exampleTexts({ parameters, body }: Operation): Texts {
  const texts: Record<string, string> = {};
  for (const { name, in: place, example } of parameters) {
    if (example !== undefined) texts[keyOf(place, name)] = String(example);
  }
  for (const [name, value] of Object.entries(body?.example ?? {})) {
    texts[keyOf("body", name)] = name === "manifestStr" ? manifestText(String(value)) : textOf(value);
    // A connection is shown by its members.
    if (!isJson(value)) continue;
    for (const [member, inner] of Object.entries(value)) texts[keyOf("body", name, member)] = textOf(inner);
  }
  return texts;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function manifestText(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
  } catch {
    return base64;
  }
}

export type Read = { readonly value: unknown } | { readonly problem: string } | { readonly absent: true };

/** The value of a field's text. */
export function read({ kind, isRequired }: Field, text: string): Read {
  const trimmed = text.trim();
  if (trimmed === "") return isRequired ? { problem: "A value is required." } : { absent: true };
  switch (kind.kind) {
    case "line":
    case "secret":
    case "choice":
    case "headers":
    case "lines":
      return { value: text };
    case "flag":
      return { value: trimmed === "true" };
    case "number": {
      const { whole, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = kind;
      const value = Number(trimmed);
      if (!Number.isFinite(value) || (whole && !Number.isInteger(value))) {
        return { problem: whole ? "The value must be a whole number." : "The value must be a number." };
      }
      if (value < minimum) return { problem: `The smallest value is ${minimum}.` };
      return value > maximum ? { problem: `The largest value is ${maximum}.` } : { value };
    }
    case "manifest": {
      const json = parsed(trimmed);
      if ("problem" in json && !trimmed.startsWith("{")) return { value: trimmed };
      return "problem" in json ? json : { value: base64Of(compact(trimmed)) };
    }
    case "json":
      return parsed(trimmed);
    default:
      return kind satisfies never;
  }
}

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `The JSON is wrong: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}

export const isChoice = (given: Field | Choice): given is Choice => "forms" in given;
