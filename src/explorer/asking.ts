/** Asks the question of the page, shows its answer as it arrives, and plans it while it is written. */
import { batch } from "@preact/signals";
import { type Answer, KEPT_ROWS, type Notes, type Rows } from "./answer-kinds.ts";
import type { Warning } from "./answers.ts";
import { ask, explain, pathOf } from "./api.ts";
import { remember } from "./history-store.ts";
import { hashOf } from "./link.ts";
import { isComplete, requestOf, sqlOf } from "./question.ts";
import { rowsInWords } from "./row-count.ts";
import { readRows } from "./row-stream.ts";
import {
  announcement,
  answer,
  explained,
  failureOfError,
  limit,
  notice,
  project,
  question,
  refusal,
  token,
  viewAs,
  viewedAnswer,
} from "./state.ts";

const NOTHING: Rows = { columns: [], rows: [], count: 0 };

let running: AbortController | undefined;

/** Asks the question, as oneself and, where it is set, as somebody else. A new question is a new entry for the browser's Back. */
export async function run(entry: "new" | "keep" = "new"): Promise<void> {
  cancel();
  const controller = new AbortController();
  running = controller;
  if (entry === "new") putIntoAddress(hashOf(question.value));
  remember({ project: project.value?.name ?? "", question: question.value });
  announcement.value = "Running";
  notice.value = undefined;
  const asked = [fill(answer, undefined, controller.signal)];
  if (viewAs.value !== undefined) asked.push(fill(viewedAnswer, viewAs.value, controller.signal));
  else viewedAnswer.value = { kind: "none" };
  await Promise.all([...asked, look()]);
  announcement.value = spoken(answer.value);
}

function putIntoAddress(hash: string): void {
  if (new URL(hash, location.href).hash === location.hash) return;
  if (location.hash === "") history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
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
  // A question that was cancelled by the next one must not overwrite that one's answer.
  const isCurrent = (): boolean => !signal.aborted || running === undefined;
  target.value = { kind: "running", since, ...NOTHING };
  // The page may show another question by the time of the answer.
  const asked = question.value;
  const { operation, body: members } = requestOf(asked);
  // One row more than is shown tells whether there are more.
  const cut = limit.value;
  const body = {
    ...members,
    ...(cut !== undefined && { limit: cut + 1 }),
    ...(viewed !== undefined && { viewAs: viewed }),
  };
  try {
    const path = pathOf(project.value?.name ?? "", operation);
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
            question: asked,
            milliseconds: performance.now() - since,
            notes: notesOf(response.headers),
            isCut,
            ...rows,
          };
  } catch (error) {
    if (!isCurrent()) return;
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
  const statement = sqlOf(question.value);
  if (name === undefined || statement.trim() === "" || !isComplete(question.value)) {
    explained.value = undefined;
    refusal.value = undefined;
    return;
  }
  try {
    const found = await explain(name, { sql: statement }, token.value, controller.signal);
    batch(() => {
      explained.value = { ...found, sql: statement };
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

function spoken(value: Answer): string {
  switch (value.kind) {
    case "whole":
      return `${rowsInWords(value.count)}${value.isCut ? ", and there are more" : ""}`;
    case "failed":
    case "broken":
      return value.failure.message;
    case "cancelled":
      return "Cancelled";
    default:
      return "";
  }
}
