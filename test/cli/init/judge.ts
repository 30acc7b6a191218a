/** Runs `init`, `validate --live` and a question on a source, and compares the project with the schema's description. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readYaml } from "../../../cli/project/yaml.ts";
import { siskin, type TerminalSettings } from "../../support/terminal.ts";
import type { SchemaSpec } from "./schemas.ts";

export interface InitCase {
  readonly schema: SchemaSpec;
  /** An empty directory. */
  readonly directory: string;
  readonly environment?: TerminalSettings["environment"];
  readonly args: readonly string[];
  readonly hasKeys: boolean;
}

/** The project's models by name. */
export async function judgeInit({ schema, directory, environment = {}, args, hasKeys }: InitCase) {
  const terminal = { directory, environment };
  const made = await siskin(["init", ...args, "project"], terminal);
  expect(made).toMatchObject({ code: 0, out: "" });
  const project = join(directory, "project");
  const read = (path: string) =>
    readYaml(readFileSync(join(project, path), "utf8"), path).value as Record<string, unknown>;
  const relationships = hasKeys ? (read("relationships.yml")["relationships"] as Record<string, string>[]) : [];
  const found = relationships.map((each) => [
    each["name"],
    (each["models"] as unknown as string[]).join(" → "),
    each["join_type"],
    each["condition"],
  ]);
  expect(found.toSorted()).toEqual(hasKeys ? schema.relationships.toSorted() : []);
  const valid = await siskin(["validate", "--live", "--project", "project"], terminal);
  expect(valid).toEqual({ code: 0, out: "", err: "project is valid, and the source agrees.\n" });
  const asked = await siskin(["query", "--project", "project", "--format", "json", schema.question.sql], terminal);
  expect(asked).toMatchObject({ code: 0, err: expect.not.stringContaining("error") });
  const { data } = JSON.parse(asked.out) as { data: (string | number)[][] };
  const rows = data.map((row) => row.map((value) => (Number.isNaN(Number(value)) ? value : Number(value))));
  expect(rows).toEqual(schema.question.rows);
  return new Map(readdirSync(join(project, "models")).map((name) => [name, read(`models/${name}/metadata.yml`)]));
}
