/** A tool: what a model reads of it, and what it does. */
import type { Session } from "../use-cases.ts";

/** The part of JSON Schema that arguments of tools are described by. */
export interface ArgumentSchema {
  readonly type: "string" | "integer" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: ArgumentSchema | Readonly<Record<string, never>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, ArgumentSchema | Readonly<Record<string, never>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface InputSchema extends ArgumentSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ArgumentSchema | Readonly<Record<string, never>>>>;
  readonly additionalProperties: false;
}

/** Text for the model and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  /** Hosts that can show the answer with `ui://siskin/result.html`. */
  readonly hasView?: true;
  /** Changes the schema for a caller, from what it may see. */
  readonly inputFor?: (session: Session) => Promise<InputSchema>;
  /** The arguments are of the schema. Throws `ToolFailure`. */
  readonly run: (session: Session, given: Arguments, signal: AbortSignal) => Promise<ToolAnswer>;
}

export const textOf = (given: Arguments, name: string): string | undefined => {
  const value = given[name];
  return typeof value === "string" ? value : undefined;
};

export const numberOf = (given: Arguments, name: string): number | undefined => {
  const value = given[name];
  return typeof value === "number" ? value : undefined;
};

export const listOf = (given: Arguments, name: string): readonly unknown[] | undefined => {
  const value = given[name];
  return Array.isArray(value) ? value : undefined;
};
