/** The definition of a setting. */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { hostEntryProblem } from "../host-list.ts";

export interface Setting<T = unknown> {
  /** Created only for a setting that is given: creating all schemas is a tenth of an isolate's first answer. */
  readonly schema: () => z.ZodMiniType<T>;
  /** The default; a setting without one is required. */
  readonly standard?: { readonly value: T };
  readonly description: string;
}

type Optional<T> = Setting<T | undefined>;

export const flag = () =>
  z.pipe(
    z.enum(["true", "false", "1", "0"]),
    z.transform((text) => text === "true" || text === "1"),
  );
export const integer = (min: number, max: number) => () =>
  z.coerce.number<string>().check(z.int(), z.minimum(min), z.maximum(max));
export const secret = () => z.string().check(z.minLength(32));
export const bytes = () => z.string().check(z.regex(/^\d+(KB|MB|GB)$/));
export const list = () =>
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    ),
  );

/** A list of hosts (`host-list.ts`). The message gives the index of a wrong entry, not the entry. */
export const hosts = () =>
  z.pipe(
    list(),
    z.transform((entries: string[], context) => {
      entries.forEach((entry, index) => {
        const problem = hostEntryProblem(entry);
        if (problem === undefined) return;
        context.issues.push({ code: "custom", message: `entry ${index + 1} ${problem}`, input: undefined });
      });
      return entries;
    }),
  ) as unknown as z.ZodMiniType<readonly string[]>;

export function required<T>(schema: () => z.ZodMiniType<T>, description: string): Setting<T> {
  return { schema, description };
}

export function optional<T>(schema: () => z.ZodMiniType<T>, description: string): Optional<T> {
  return { schema, standard: { value: undefined }, description };
}

export function standard<T>(schema: () => z.ZodMiniType<T>, value: T, description: string): Setting<T> {
  return { schema, standard: { value }, description };
}

/** JSON text. Messages about errors contain the names of its members, never their values. */
export const json =
  <T>(schema: () => z.ZodMiniType<T>) =>
  (): z.ZodMiniType<T> =>
    z.pipe(
      z.string(),
      z.transform((text, context) => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          context.issues.push({ code: "custom", message: "The text is not JSON", input: undefined });
          return z.NEVER;
        }
        const parsed = schema().safeParse(value, { error: en().localeError });
        if (parsed.success) return parsed.data;
        for (const { path, message } of parsed.error.issues) {
          const member = path.map(String).join(".");
          const said = member === "" ? message : `${member}: ${message}`;
          context.issues.push({ code: "custom", message: said, input: undefined });
        }
        return z.NEVER;
      }),
    ) as unknown as z.ZodMiniType<T>;
