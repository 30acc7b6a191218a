/** The messages in `connect.proto`, compared with the descriptors in the installed Spark's jar. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";
import { expect, it } from "vitest";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";

const OURS = fileURLToPath(new URL("../../sidecar/spark/connect.proto", import.meta.url));
const JARS = fileURLToPath(new URL("../../.siskin/spark/pyspark/jars/", import.meta.url));
const THEIRS = ["spark/connect/base.proto", "google/rpc/status.proto", "google/rpc/error_details.proto"];

/** Messages of other packages, which one local file cannot contain. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "spark.connect.Status": "google.rpc.Status",
  "spark.connect.Status.Any": "google.protobuf.Any",
  "spark.connect.ErrorInfo": "google.rpc.ErrorInfo",
};

interface Described {
  readonly field?: readonly { readonly name: string; readonly number: number; readonly type: string }[];
  readonly value?: readonly { readonly name: string; readonly number: number }[];
}

/** Fields of messages and members of enumerations: `spark.connect.SQL.query` → its number and type. */
function numbersOf(definition: PackageDefinition): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  for (const [name, { type }] of Object.entries(definition)) {
    const { field = [], value = [] } = (type ?? {}) as Described;
    const at = ELSEWHERE[name] ?? name;
    for (const { name: part, number, type: kind } of field) numbers.set(`${at}.${part}`, `${number} ${kind}`);
    for (const { name: part, number } of value) numbers.set(`${at}.${part}`, String(number));
  }
  return numbers;
}

it.skipIf(!hasSpark())(
  hasSpark() ? "every field of ours has its number and type in Spark's own messages" : WITHOUT_SPARK,
  () => {
    const directory = mkdtempSync(join(tmpdir(), "siskin-spark-protocol-"));
    try {
      const jar = readdirSync(JARS).find((name) => name.startsWith("spark-connect_")) ?? "";
      execFileSync("python3", ["-m", "zipfile", "-e", join(JARS, jar), directory]);
      const theirs = numbersOf(loadSync([...THEIRS], { keepCase: true, enums: String, includeDirs: [directory] }));
      const ours = numbersOf(loadSync(OURS, { keepCase: true, enums: String }));
      expect(ours.size).toBeGreaterThan(40);
      const expected = [...ours.keys()].map((name) => [name, theirs.get(name)]);
      expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
