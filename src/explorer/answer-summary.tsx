/** Counts, time and age of an answer, and what a person takes away from it: files and a link. */
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "./answer-kinds.ts";
import { ask, pathOf } from "./api.ts";
import { saveBlob } from "./download.ts";
import { type Question, requestOf } from "./question.ts";
import { rowsInWords } from "./row-count.ts";
import { announcement, failureOfError, notice, project, token } from "./state.ts";
import { wholeArrow, wholeCsv } from "./whole-file.ts";

export function Summary({ of }: { readonly of: Answer }) {
  if (of.kind === "running") return <Elapsed count={of.count} since={of.since} />;
  if (of.kind !== "whole") return null;
  const { count, milliseconds, notes, isCut } = of;
  const age = notes.cachedAt === undefined ? undefined : Math.max(0, Math.round((Date.now() - notes.cachedAt) / 1000));
  return (
    <span class="summary">
      {rowsInWords(count)}
      {isCut && " and more"} · {Math.round(milliseconds).toLocaleString("en")} ms
      {age !== undefined && ` · from the cache, ${age} s old`} ·{" "}
      <button type="button" class="link" onClick={() => void download(of.question, "csv")}>
        CSV
      </button>{" "}
      <button type="button" class="link" onClick={() => void download(of.question, "arrow")}>
        Arrow
      </button>{" "}
      <button type="button" class="link" onClick={() => void copy(location.href, "Link copied")}>
        Copy link
      </button>
    </span>
  );
}

const SECOND_MS = 1000;
/** A warehouse that sleeps needs seconds to minutes before its first row. */
const COLD_SECONDS = 5;

function Elapsed({ count, since }: { readonly count: number; readonly since: number }) {
  const [now, tick] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => tick(performance.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / SECOND_MS));
  const isCold = count === 0 && seconds >= COLD_SECONDS;
  return (
    <span class="summary">
      {isCold && "The source may still be starting. "}
      {rowsInWords(count)} so far · {seconds.toLocaleString("en")} s
    </span>
  );
}

const FORMATS = {
  csv: { accept: "text/csv", whole: wholeCsv },
  arrow: { accept: "application/vnd.apache.arrow.stream", whole: wholeArrow },
} as const;

/** Saves all rows of the statement that was answered, whatever the page shows of them, or says why not. */
async function download(question: Question, format: keyof typeof FORMATS): Promise<void> {
  const name = project.value?.name ?? "";
  const { accept, whole } = FORMATS[format];
  try {
    const { operation, body } = requestOf(question);
    const response = await ask({ path: pathOf(name, operation), body, accept, endLine: true, token: token.value });
    const file = await whole(await response.blob());
    if (file === undefined) throw new Error("The answer broke off: nothing was saved.");
    saveBlob(`${name}.${format}`, file);
  } catch (error) {
    notice.value = failureOfError(error).message;
  }
}

export async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announcement.value = done;
}
