/** Questions that a model of another tool brings: examples in `knowledge/sql`, and golden questions over cubes. */
import { stringify } from "yaml";
import type { DataSource } from "../../src/planner/plan.ts";
import { ServiceError } from "../../src/service/failure.ts";
import { planStatement, type Question } from "../../src/service/planning.ts";
import type { FilePosition } from "../exit.ts";
import { callContext, localServices } from "../source/local-services.ts";
import { withoutRules } from "../source/operator-rights.ts";
import type { ImportedManifest } from "./manifest.ts";
import type { ImportReport } from "./report.ts";

export interface ImportedQuestion {
  /** Kind and name, such as `verified query "revenue"`. */
  readonly object: string;
  readonly name: string;
  /** The question in words. */
  readonly title?: string | undefined;
  readonly asked: { readonly sql: string } | { readonly cube: unknown };
  readonly at: FilePosition;
}

interface Target {
  readonly manifest: ImportedManifest;
  readonly source: DataSource;
  readonly report: ImportReport;
}

/** Files of the questions that the imported model answers. The others are reported. */
export function questionFiles(
  questions: readonly ImportedQuestion[],
  { manifest, source, report }: Target,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (questions.length === 0) return files;
  const services = localServices(undefined);
  // A question has the session of its caller, which is not known: it is planned without rules.
  const manifestStr = withoutRules(JSON.stringify(manifest));
  const golden: object[] = [];
  const names = new Set<string>();
  for (const { object, name, title, asked, at } of questions) {
    const file = name.replaceAll(/[^\p{L}\p{N}_-]/gu, "_").slice(0, 80);
    if (names.has(file.toLowerCase())) {
      report.leaveOut(object, "Two objects have the name.", at);
      continue;
    }
    try {
      planStatement(services, callContext({}), { operation: "dryPlan", source, manifestStr, ...(asked as Question) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      report.leaveOut(object, `The imported model does not answer it: ${error.message}`, at);
      continue;
    }
    names.add(file.toLowerCase());
    if ("sql" in asked) {
      const words = (title ?? "").split(/\r?\n/).map((line) => `-- ${line}`);
      files.set(
        `knowledge/sql/${file}.sql`,
        `${title === undefined ? "" : `${words.join("\n")}\n`}${asked.sql.trim()}\n`,
      );
    } else golden.push({ name: title ?? name, cube: asked.cube, row_count: { min: 1 } });
  }
  if (golden.length > 0) files.set("tests/imported.yml", stringify(golden, { lineWidth: 120 }));
  return files;
}
