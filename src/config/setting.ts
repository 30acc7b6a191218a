/** What a setting is made of. */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { hostEntryProblem } from "../host-list.ts";

export interface Setting<T = unknown> {
  /** Made only for a setting that is given: making all of them is a tenth of an isolate's first answer. */
  readonly schema: () => z.ZodMiniType<T>;
  /** What holds when it is not given; without it, it has to be. */
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

/** A list of hosts (`host-list.ts`). The message names the place of a wrong entry, not the entry. */
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

/** JSON text. What is wrong with it is told by its members' names, never by their values. */
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
