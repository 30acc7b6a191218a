/** The request that a form makes: address, headers and body, and the same as a command of a shell. */
import { shellQuoted } from "../request-code.ts";
import type { Json, Operation } from "./document.ts";
import { type Choice, type Field, isChoice, read, type Texts } from "./fields.ts";

export interface MadeRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Json;
}

/** Problems by the key of their field. */
export type Made = { readonly request: MadeRequest } | { readonly problems: Readonly<Record<string, string>> };

export interface FormState {
  readonly fields: readonly (Field | Choice)[];
  readonly texts: Texts;
  /** The chosen form of each object that has several, by its name; the first if absent. */
  readonly chosen: Readonly<Record<string, number>>;
  readonly accept: string;
}

/** The fields of an object's chosen form. Without any text the object is absent. */
export function fieldsOfChoice({ name, forms }: Choice, { chosen }: Pick<FormState, "chosen">): readonly Field[] {
  return (forms[chosen[name] ?? 0] ?? forms[0])?.fields ?? [];
}

export function requestOf({ method, path, body }: Operation, form: FormState): Made {
  const problems: Record<string, string> = {};
  const query = new URLSearchParams();
  const headers: (readonly [string, string])[] = [["Accept", form.accept]];
  const made: Record<string, unknown> = {};
  let target = path;
  const take = (field: Field, into: Record<string, unknown>): void => {
    const outcome = read(field, form.texts[field.key] ?? "");
    if ("absent" in outcome) return;
    if ("problem" in outcome) {
      problems[field.key] = outcome.problem;
      return;
    }
    const { value } = outcome;
    if (field.kind.kind === "headers") {
      for (const [name, text] of namedLines(String(value))) headers.push([field.name.replace("{name}", name), text]);
    } else if (field.in === "path") {
      target = target.replace(`{${field.name}}`, encodeURIComponent(String(value)));
    } else if (field.in === "query") {
      query.set(field.name, String(value));
    } else if (field.in === "header") {
      headers.push([field.name, String(value)]);
    } else {
      into[field.name] = value;
    }
  };
  for (const each of form.fields) {
    if (!isChoice(each)) {
      take(each, made);
      continue;
    }
    const inner = fieldsOfChoice(each, form);
    const isGiven = each.isRequired || inner.some(({ key }) => (form.texts[key] ?? "").trim() !== "");
    if (!isGiven) continue;
    const object: Record<string, unknown> = {};
    for (const field of inner) take(field, object);
    made[each.name] = object;
  }
  if (Object.keys(problems).length > 0) return { problems };
  const search = query.toString();
  return {
    request: {
      method,
      target: target + (search === "" ? "" : `?${search}`),
      headers: body === undefined ? headers : [...headers, ["Content-Type", "application/json"]],
      ...(body !== undefined && { body: made }),
    },
  };
}

function namedLines(text: string): readonly (readonly [string, string])[] {
  return text.split("\n").flatMap((line) => {
    const [, name, value] = /^([^\s:=]+)\s*[:=](.*)$/.exec(line.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
  });
}

/** Browsers send no body with GET. */
export const isSendable = ({ method, body }: Operation): boolean => method !== "GET" || body === undefined;

/** The credential is a variable of the environment, never the person's own. */
export function curlOf(
  { method, target, headers, body }: MadeRequest,
  { origin, hasToken }: { readonly origin: string; readonly hasToken: boolean },
): string {
  const isPlain = method === (body === undefined ? "GET" : "POST");
  const lines = [
    `curl -s ${isPlain ? "" : `-X ${method} `}${shellQuoted(origin + target)}`,
    ...(hasToken ? [`-H "Authorization: Bearer $SISKIN_TOKEN"`] : []),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(JSON.stringify(body))}`]),
  ];
  return lines.join(" \\\n  ");
}
