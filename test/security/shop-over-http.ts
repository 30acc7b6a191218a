/** Asks the shop over HTTP as a caller does; neither head nor body of an answer holds a value that a rule excludes. */
import { expect } from "vitest";
import type { RunningWorker } from "../support/worker.ts";
import { CANARY, RULES, SESSION, shopData, type World } from "./access-world.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly warnings: readonly { readonly code: string }[];
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Question {
  /** A rule of `RULES`. */
  readonly rule?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body, which may replace the others. */
  readonly more?: object;
}

export type Ask = (sql: string, question?: Question) => Promise<Answer>;

export const HEADERS = Object.fromEntries([...SESSION].map(([name, value]) => [`x-wren-variable-${name}`, value]));

export function shopOverHttp(world: World, worker: RunningWorker): Ask {
  return async (sql, { rule = "literal", path, headers = HEADERS, more = {} } = {}) => {
    const manifestStr = encoded(shopData(world, world.whole, RULES[rule]?.rules));
    const response = await worker.post(
      path ?? `/v3/connector/${world.source}/query`,
      { sql, manifestStr, connectionInfo: world.connectionInfo, ...more },
      headers,
    );
    const text = await response.text();
    const named = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    // Text that the caller wrote may come back.
    expect(`${named}\n${text}`.replaceAll(/canary_(secret|owner_key)/g, ""), sql).not.toMatch(CANARY);
    return {
      status: response.status,
      text,
      warnings: JSON.parse(response.headers.get("x-warnings") ?? "[]") as Answer["warnings"],
      json: text.startsWith("{") && !text.includes("\n") ? (JSON.parse(text) as Answer["json"]) : {},
    };
  };
}

/** The value of `manifestStr`. */
export const encoded = (manifest: object): string => Buffer.from(JSON.stringify(manifest)).toString("base64");
