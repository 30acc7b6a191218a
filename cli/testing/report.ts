/** Results of golden questions: lines for people, JSON, or JUnit's XML. */
import { type Fault, UsageError } from "../exit.ts";
import { faultText } from "../output/faults.ts";

export interface QuestionResult {
  readonly name: string;
  readonly file: string;
  /** The session, as the question writes it. */
  readonly session: Readonly<Record<string, unknown>> | undefined;
  readonly faults: readonly Fault[];
  readonly milliseconds: number;
}

export const REPORTS = ["text", "json", "junit"] as const;
export type ReportFormat = (typeof REPORTS)[number];

export function reportNamed(name: string): ReportFormat {
  const format = REPORTS.find((each) => each === name);
  if (format === undefined) throw new UsageError(`--format ${name} is not a format. Formats: ${REPORTS.join(", ")}.`);
  return format;
}

export function reportOf(results: readonly QuestionResult[], format: ReportFormat): string {
  switch (format) {
    case "text":
      return textReport(results);
    case "json":
      return `${JSON.stringify({ passed: passed(results), failed: results.length - passed(results), results }, null, 2)}\n`;
    case "junit":
      return junitReport(results);
    default:
      return format satisfies never;
  }
}

const passed = (results: readonly QuestionResult[]): number =>
  results.filter(({ faults }) => faults.length === 0).length;

const titleOf = ({ name, session }: QuestionResult): string =>
  session === undefined ? name : `${name} as ${JSON.stringify(session)}`;

function textReport(results: readonly QuestionResult[]): string {
  const lines = results.map(
    (result) =>
      `${result.faults.length === 0 ? "ok  " : "FAIL"} ${titleOf(result)}\n${result.faults.map(faultText).join("")}`,
  );
  return `${lines.join("")}${passed(results)} of ${results.length} passed.\n`;
}

function junitReport(results: readonly QuestionResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))];
  const suites = files.map((file) => {
    const cases = results.filter((result) => result.file === file);
    const bodies = cases.map((result) => {
      const head = `    <testcase classname="${xml(file)}" name="${xml(titleOf(result))}" time="${(result.milliseconds / 1000).toFixed(3)}"`;
      const [first] = result.faults;
      if (first === undefined) return `${head}/>\n`;
      const text = result.faults.map(faultText).join("");
      return `${head}>\n      <failure message="${xml(first.message)}">${xml(text)}</failure>\n    </testcase>\n`;
    });
    const counts = `tests="${cases.length}" failures="${cases.length - passed(cases)}" errors="0"`;
    return `  <testsuite name="${xml(file)}" ${counts}>\n${bodies.join("")}  </testsuite>\n`;
  });
  const counts = `tests="${results.length}" failures="${results.length - passed(results)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n${suites.join("")}</testsuites>\n`;
}

/** Control characters have no form in XML 1.0. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�")
      .toWellFormed()
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\n", "&#10;")
  );
}
