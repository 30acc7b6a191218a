/**
 * Statements on an emulation of a source: a process of Python that has loaded `tables`, is sent a statement a line as JSON, and sends its
 * rows or what was wrong with it a line back. One that a statement ends is started anew for the next.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { listOf, readList } from "../../src/connectors/http/json-lists.ts";
import type { SqlType } from "../../src/planner/plan.ts";
import type { Column, LogicalType, Row, Value } from "../../src/result/types.ts";
import type { OpenedSource } from "./sources.ts";

/** Time limit of one statement. */
const PATIENCE_MS = 60_000;

type Shown = null | boolean | string | Readonly<Record<string, string>>;
type Answer = { readonly rows: readonly (readonly Shown[])[] } | { readonly error: string };

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: AsyncIterator<string>;
}

/** `tables`: files of Parquet by the names of their tables. */
export function openEmulator(python: string, script: string, tables: Readonly<Record<string, string>>): OpenedSource {
  // Some keep what they know where they are started.
  const home = mkdtempSync(join(tmpdir(), "siskin-emulator-"));
  let running: Running | undefined;
  const start = (): Running => {
    const child = spawn(python, [script, JSON.stringify(tables)], { cwd: home, stdio: ["pipe", "pipe", "ignore"] });
    // A write to a process that has just ended is lost.
    child.stdin.on("error", () => {});
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: a line for each. */
  const ask = (sql: string): Promise<Answer> => {
    const answer = last.then(async (): Promise<Answer> => {
      running ??= start();
      const { child, lines } = running;
      child.stdin.write(`${JSON.stringify(sql)}\n`);
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      const { value, done } = await lines.next();
      clearTimeout(timer);
      if (done !== true) return JSON.parse(value) as Answer;
      running = undefined;
      return { error: "The emulation has ended." };
    });
    last = answer.catch(() => {});
    return answer;
  };
  const connector: Pick<Connector, "query"> = {
    query: async ({ sql, columns: meant }) => {
      const answer = await ask(sql);
      if ("error" in answer) throw new ConnectorFailure("SOURCE_ERROR", answer.error);
      const columns = meant.map(({ name, type }, index) => columnOf(name, type, answer.rows, index));
      const rows = answer.rows.map((row): Row => row.map((value, index) => valueOf(value, columns[index]?.type)));
      return { columns, batches: [rows] } as never;
    },
  };
  return {
    connector: connector as Connector,
    close: async () => {
      const child = running?.child;
      const ended = new Promise((resolve) => child?.once("exit", resolve));
      if (child?.kill("SIGKILL") === true) await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const KINDS: Readonly<Record<string, LogicalType>> = {
  decimal: { kind: "decimal" },
  double: { kind: "float64" },
  date: { kind: "date" },
  time: { kind: "time", unit: "us" },
  timestamp: { kind: "timestamp", unit: "us", zone: undefined },
  instant: { kind: "timestamp", unit: "us", zone: "UTC" },
  binary: { kind: "binary" },
};

const MEANT: Readonly<Partial<Record<SqlType["kind"], LogicalType>>> = {
  integer: { kind: "decimal" },
  decimal: { kind: "decimal" },
  float: { kind: "float64" },
  boolean: { kind: "boolean" },
  date: { kind: "date" },
  time: { kind: "time", unit: "us" },
  binary: { kind: "binary" },
};

/** The type of the first value; without values, the type in the plan. */
function columnOf(name: string, type: SqlType, rows: readonly (readonly Shown[])[], index: number): Column {
  const list = listOf(type);
  if (list !== undefined) return { name, type: list };
  const shown = rows.map((row) => row[index] ?? null).find((value) => value !== null);
  if (shown === undefined) {
    const zone = type.kind === "timestamp" && type.zoned ? "UTC" : undefined;
    if (type.kind === "timestamp") return { name, type: { kind: "timestamp", unit: "us", zone } };
    return { name, type: MEANT[type.kind] ?? { kind: "string" } };
  }
  if (typeof shown === "boolean") return { name, type: { kind: "boolean" } };
  if (shown === null || typeof shown === "string") return { name, type: { kind: "string" } };
  return { name, type: KINDS[Object.keys(shown)[0] ?? ""] ?? { kind: "string" } };
}

function valueOf(shown: Shown, type: LogicalType | undefined): Value {
  if (type?.kind === "list" && typeof shown === "string") return readList(shown, type);
  if (shown === null || typeof shown !== "object") return shown;
  const [text = ""] = Object.values(shown);
  switch (type?.kind) {
    case "float64":
      return Number(text.replace("inf", "Infinity"));
    case "date":
      return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
    case "time":
      return Number(microseconds(`1970-01-01T${text}`));
    case "timestamp":
      return microseconds(text);
    case "binary":
      return new Uint8Array(Buffer.from(text, "hex"));
    default:
      return text;
  }
}

function microseconds(text: string): bigint {
  const [second = "", fraction = ""] = text.split(".");
  return BigInt(Date.parse(`${second}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}
