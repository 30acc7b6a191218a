/** The questions that a person has asked, kept in that person's browser: no rows, no credentials, no values of "view as". */
import { signal } from "@preact/signals";
import { hashOf, questionIn } from "./link.ts";
import { pageSettings } from "./page-settings.ts";
import { type Question, sqlOf } from "./question.ts";

export interface AskedQuestion {
  readonly project: string;
  readonly question: Question;
}

const KEY = "siskin.questions";
const SWITCH = "siskin.history";
const MOST = 50;
const LONGEST = 20_000;

const isAllowed = (): boolean => pageSettings().history === "on";

/** The newest first. */
export const asked = signal<readonly AskedQuestion[]>([]);
/** The person's own switch; undefined if the operator has switched the history off. */
export const isKept = signal<boolean | undefined>(undefined);

/** Reads what earlier pages kept, or deletes it if the operator no longer allows it. */
export function openHistory(): void {
  if (!isAllowed()) {
    store(KEY, undefined);
    return;
  }
  isKept.value = stored(SWITCH) !== "off";
  asked.value = isKept.value ? entriesIn(stored(KEY)) : [];
}

export function remember(entry: AskedQuestion): void {
  if (isKept.value !== true || sqlOf(entry.question).length > LONGEST) return;
  const hash = hashOf(entry.question);
  // Another page may have kept questions meanwhile.
  const others = entriesIn(stored(KEY)).filter(
    ({ project, question }) => project !== entry.project || hashOf(question) !== hash,
  );
  put([entry, ...others].slice(0, MOST));
}

export function forget(): void {
  put([]);
}

export function keep(wanted: boolean): void {
  isKept.value = wanted;
  store(SWITCH, wanted ? undefined : "off");
  if (!wanted) forget();
}

function put(entries: readonly AskedQuestion[]): void {
  asked.value = entries;
  const written = entries.map(({ project, question }) => ({ project, hash: hashOf(question) }));
  store(KEY, entries.length === 0 ? undefined : JSON.stringify(written));
}

/** Entries of another version of the page, or of nobody's making, are left out. */
export function entriesIn(text: string | null): readonly AskedQuestion[] {
  try {
    const entries: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(entries)) return [];
    return entries.slice(0, MOST).flatMap((entry: unknown) => {
      const { project, hash } = (entry ?? {}) as { readonly project?: unknown; readonly hash?: unknown };
      if (typeof project !== "string" || typeof hash !== "string") return [];
      const question = questionIn(hash);
      return question === undefined ? [] : [{ project, question }];
    });
  } catch {
    return [];
  }
}

/** Browsers refuse the storage in some modes; the page works without. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Full or refused: the history of this page alone remains.
  }
}
