/**
 * A reporter for the gate. A signal once ended a test process in which native DuckDB ran, and the file passed in every other run.
 * The reporter writes the files that were lost in this way to the path in LOST_FILES, one per line, when nothing else went wrong; the
 * gate then runs these files again. It writes nothing when a test failed or any other error was reported.
 */
import { rmSync, writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

const ENDED = /^Worker exited unexpectedly with signal SIG\w+ .*while running test file (.+)$/;

type TestRunEnd = NonNullable<Reporter["onTestRunEnd"]>;

/** The file whose process ended, else undefined. */
function lostFile(error: Parameters<TestRunEnd>[1][number]): string | undefined {
  const { cause } = error as { readonly cause?: { readonly message?: string } };
  return ENDED.exec(cause?.message ?? "")?.[1];
}

export default class LostFiles implements Reporter {
  onTestRunEnd(...[modules, errors, reason]: Parameters<TestRunEnd>): void {
    const path = process.env["LOST_FILES"];
    if (path === undefined) return;
    rmSync(path, { force: true });
    const lost = errors.map(lostFile);
    if (lost.length === 0 || lost.includes(undefined) || reason === "interrupted") return;
    const broken = modules.some((module) => {
      const results = [...module.children.allTests()].map((test) => test.result().state);
      return results.includes("failed") || module.errors().length > 0;
    });
    if (!broken) writeFileSync(path, `${lost.join("\n")}\n`);
  }
}
