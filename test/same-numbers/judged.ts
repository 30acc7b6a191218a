/** Questions to Siskin over an imported model, and the count of answers that are equal to a judge's. */
import { fileURLToPath } from "node:url";
import { siskin } from "../support/terminal.ts";
import { differenceOf, type JudgedAnswer } from "./difference.ts";
import type { Axis } from "./shop.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const HOME = `${ROOT}.siskin/imports`;

export interface Question {
  readonly measure: string;
  readonly axes: readonly Axis[];
}

export interface Project {
  /** Below `HOME`. */
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly questions: number;
  /** Rows of the judge. */
  readonly rows: number;
  readonly equal: number;
  readonly explained: ReadonlyMap<string, number>;
  readonly different: readonly { readonly question: string; readonly reason: string }[];
  readonly refused: readonly { readonly object: string; readonly reason: string }[];
}

/** Imports a model into `HOME`. */
export async function imported(args: readonly string[]): Promise<Outcome["refused"]> {
  const { code, out, err } = await siskin(["import", ...args, "--format", "json"], { directory: HOME });
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { readonly remarks: Outcome["refused"] }).remarks;
}

async function ourAnswer({ measure, axes }: Question, { directory, environment = {} }: Project): Promise<JudgedAnswer> {
  const dimensions = axes.flatMap(({ ours }) => (typeof ours === "string" ? [ours] : []));
  const timeDimensions = axes.flatMap(({ ours }) => (typeof ours === "string" ? [] : [ours]));
  const query = { cube: "orders_metrics", measures: [measure], dimensions, timeDimensions };
  const args = ["cube", "--project", directory, "--format", "json", JSON.stringify(query)];
  const { code, out, err } = await siskin(args, { directory: HOME, environment });
  if (code !== 0) return { error: err.split("\n")[0] ?? "" };
  const { columns, data } = JSON.parse(out) as { readonly columns: readonly string[]; readonly data: unknown[][] };
  return { columns, rows: data.map((row) => row.map((value) => (value === null ? null : String(value)))) };
}

export async function compared(
  questions: readonly Question[],
  theirs: readonly JudgedAnswer[],
  project: Project,
  refused: Outcome["refused"],
): Promise<Outcome> {
  const explained = new Map<string, number>();
  const different: { question: string; reason: string }[] = [];
  let [equal, rows] = [0, 0];
  for (const [at, question] of questions.entries()) {
    const answer = theirs[at] ?? { error: "no answer" };
    rows += answer.error === undefined ? answer.rows.length : 0;
    const difference = differenceOf(answer, await ourAnswer(question, project), question.axes);
    const by = question.axes.map((axis) => axis.theirs).join(", ");
    if (difference === undefined) equal++;
    else if (difference.kind === "explained") {
      explained.set(difference.reason, (explained.get(difference.reason) ?? 0) + 1);
    } else {
      different.push({ question: `${question.measure} by ${by === "" ? "nothing" : by}`, reason: difference.reason });
    }
  }
  return { questions: questions.length, rows, equal, explained, different, refused };
}
