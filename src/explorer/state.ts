/** All that the page knows, as signals, and what happens when somebody asks. Parts of the page read it and call it. */
import { batch, computed, signal } from "@preact/signals";
import {
  ApiFailure,
  type Explanation,
  type Failure,
  type ListedProject,
  type Project,
  type Warning,
} from "./answers.ts";
import { ask, explain, listProjects, openProject, pathOf } from "./api.ts";
import { hashOf, projectIn, questionIn } from "./link.ts";
import { type Column, readRows } from "./row-stream.ts";

/** Rows that the page keeps; the rest of an answer is counted. */
export const KEPT_ROWS = 10_000;
export const LIMITS = [100, 1000, 10_000, undefined] as const;

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** Rows that arrived; more than `rows` has where the page did not keep all. */
  readonly count: number;
}

export type Answer =
  | { readonly kind: "none" }
  | ({ readonly kind: "running"; readonly since: number } & Rows)
  | ({
      readonly kind: "whole";
      readonly sql: string;
      readonly milliseconds: number;
      readonly notes: Notes;
      readonly isCut: boolean;
    } & Rows)
  | ({ readonly kind: "cancelled" } & Rows)
  | ({ readonly kind: "broken"; readonly failure: Failure } & Rows)
  | { readonly kind: "failed"; readonly failure: Failure };

/** Facts about an answer, from its headers. */
export interface Notes {
  readonly rowRules: string | undefined;
  readonly correlationId: string | undefined;
  /** Time when the cached answer was made; undefined if it comes from the source. */
  readonly cachedAt: number | undefined;
  readonly warnings: readonly Warning[];
}

export type Opening =
  | { readonly kind: "loading" }
  | { readonly kind: "open" }
  | { readonly kind: "failed"; readonly failure: Failure };

export const token = signal<string | undefined>(undefined);
export const opening = signal<Opening>({ kind: "loading" });
export const projects = signal<readonly ListedProject[]>([]);
export const project = signal<Project | undefined>(undefined);
export const sql = signal("");
export const limit = signal<number | undefined>(1000);
/** Session values of somebody else, by name. */
export const viewAs = signal<Readonly<Record<string, string>> | undefined>(undefined);
export const answer = signal<Answer>({ kind: "none" });
/** The answer that somebody else would get, beside one's own. */
export const viewedAnswer = signal<Answer>({ kind: "none" });
/** The plan of the statement in the editor, or why it has none. */
export const explained = signal<Explanation | undefined>(undefined);
export const refusal = signal<Failure | undefined>(undefined);
export const isRunning = computed(() => answer.value.kind === "running" || viewedAnswer.value.kind === "running");
/** Said to screen readers. */
export const announcement = signal("");
/** A failure beside the answer, such as that of a file that was to be saved. */
export const notice = signal<string | undefined>(undefined);

const NOTHING: Rows = { columns: [], rows: [], count: 0 };

/** Reads the projects, and opens that of the address or the first. */
export async function start(): Promise<void> {
  opening.value = { kind: "loading" };
  try {
    projects.value = await listProjects(token.value);
    const named = projectIn(location.pathname);
    const first = projects.value.find(({ status }) => status === "ready")?.name;
    const wanted = named ?? first;
    if (wanted === undefined) {
      opening.value = { kind: "open" };
      return;
    }
    await choose(wanted, questionIn(location.hash)?.sql);
  } catch (error) {
    opening.value = { kind: "failed", failure: failureOfError(error) };
  }
}

/** Opens a project, with a question in the editor that is answered at once if the project has one. */
export async function choose(name: string, question?: string): Promise<void> {
  opening.value = { kind: "loading" };
  cancel();
  try {
    const found = await openProject(name, token.value);
    batch(() => {
      project.value = found;
      opening.value = { kind: "open" };
      answer.value = { kind: "none" };
      viewedAnswer.value = { kind: "none" };
      explained.value = undefined;
      refusal.value = undefined;
      sql.value = question ?? firstQuestion(found);
    });
    document.title = `Siskin · ${found.title ?? found.name}`;
    const path = `/explore/${encodeURIComponent(name)}`;
    if (location.pathname !== path)
      history.pushState(null, "", path + (question === undefined ? "" : hashOf({ sql: question })));
    if (sql.value !== "") await run();
  } catch (error) {
    opening.value = { kind: "failed", failure: failureOfError(error) };
  }
}

function firstQuestion({ examples, models }: Project): string {
  const [example] = examples;
  if (example !== undefined) return example.sql;
  const [model] = models;
  return model === undefined ? "" : `SELECT * FROM ${quotedName(model.name)} LIMIT 20`;
}

/** The name in the language: names that are no plain lower-case words stand in double quotes. */
export const quotedName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

let running: AbortController | undefined;

/** Asks the statement of the editor, as oneself and, where it is set, as somebody else. */
export async function run(): Promise<void> {
  cancel();
  const controller = new AbortController();
  running = controller;
  history.replaceState(null, "", hashOf({ sql: sql.value }));
  announcement.value = "Running";
  notice.value = undefined;
  const asked = [fill(answer, undefined, controller.signal)];
  if (viewAs.value !== undefined) asked.push(fill(viewedAnswer, viewAs.value, controller.signal));
  else viewedAnswer.value = { kind: "none" };
  await Promise.all([...asked, look()]);
  announcement.value = spoken(answer.value);
}

/** Closes the request: the service then stops the statement at the source. */
export function cancel(): void {
  running?.abort();
  running = undefined;
}

async function fill(
  target: typeof answer,
  viewed: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const since = performance.now();
  let last = NOTHING;
  target.value = { kind: "running", since, ...NOTHING };
  // The editor may hold another statement by the time of the answer.
  const asked = sql.value;
  // One row more than is shown tells whether there are more.
  const cut = limit.value;
  const body = {
    sql: asked,
    ...(cut !== undefined && { limit: cut + 1 }),
    ...(viewed !== undefined && { viewAs: viewed }),
  };
  try {
    const path = pathOf(project.value?.name ?? "", "query");
    const response = await ask({ path, body, accept: "application/x-ndjson", token: token.value, signal });
    if (response.body === null) throw new TypeError("The answer has no body.");
    let painted = 0;
    const end = await readRows(response.body, Math.min(KEPT_ROWS, cut ?? KEPT_ROWS), (progress) => {
      last = { ...progress, rows: progress.rows };
      const now = performance.now();
      if (now - painted < 100) return;
      painted = now;
      target.value = { kind: "running", since, ...last };
    });
    signal.throwIfAborted();
    const isCut = cut !== undefined && last.count > cut;
    const rows = { ...last, count: isCut ? cut : last.count };
    target.value =
      end.kind === "broken"
        ? { kind: "broken", failure: end.failure, ...rows }
        : {
            kind: "whole",
            sql: asked,
            milliseconds: performance.now() - since,
            notes: notesOf(response.headers),
            isCut,
            ...rows,
          };
  } catch (error) {
    target.value = signal.aborted ? { kind: "cancelled", ...last } : { kind: "failed", failure: failureOfError(error) };
  }
}

function notesOf(headers: Headers): Notes {
  const made = headers.get("X-Cache-Create-At");
  const isCached = headers.get("X-Cache-Hit") === "true" && made !== null;
  return {
    rowRules: headers.get("x-row-rules") ?? undefined,
    correlationId: headers.get("X-Correlation-ID") ?? undefined,
    cachedAt: isCached ? momentOf(made) : undefined,
    warnings: warningsIn(headers.get("x-warnings")),
  };
}

/** The header may end with `{"code":"MORE","count":n}` in place of further warnings. */
function warningsIn(header: string | null): readonly Warning[] {
  const all = header === null ? [] : (JSON.parse(header) as readonly (Warning & { readonly count?: number })[]);
  return all.map((warning) =>
    warning.code === "MORE" ? { code: "MORE", message: `There are ${warning.count} more warnings.` } : warning,
  );
}

/** Milliseconds since 1970, of a number of milliseconds or a date. */
const momentOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Date.parse(text));

let looking: AbortController | undefined;

/** Plans the statement without running it: warnings, lineage, and the place of an error. */
export async function look(): Promise<void> {
  looking?.abort();
  const controller = new AbortController();
  looking = controller;
  const name = project.value?.name;
  if (name === undefined || sql.value.trim() === "") {
    explained.value = undefined;
    refusal.value = undefined;
    return;
  }
  try {
    const found = await explain(name, { sql: sql.value }, token.value, controller.signal);
    batch(() => {
      explained.value = found;
      refusal.value = undefined;
    });
  } catch (error) {
    if (controller.signal.aborted) return;
    batch(() => {
      explained.value = undefined;
      refusal.value = failureOfError(error);
    });
  }
}

export function failureOfError(error: unknown): Failure {
  if (error instanceof ApiFailure) return error.failure;
  return { status: 0, code: "PAGE", message: error instanceof Error ? error.message : String(error), suggestions: [] };
}

function spoken(value: Answer): string {
  switch (value.kind) {
    case "whole":
      return `${value.count} rows${value.isCut ? ", and there are more" : ""}`;
    case "failed":
    case "broken":
      return value.failure.message;
    case "cancelled":
      return "Cancelled";
    default:
      return "";
  }
}
