/** Collects the errors in a manifest: each once, however many objects depend on it, and within bounds. */
import { type PlannerError, type PlannerReason, plannersOwn } from "../diagnostics.ts";

export interface ManifestProblem {
  readonly reason: PlannerReason;
  /** In the form of messages: `column "x" of model "m"`. */
  readonly object: string;
  /** Names the object, and the position in its expression if there is one. */
  readonly message: string;
  readonly hint?: string;
  readonly suggestions?: readonly string[];
}

/** All problems are found; this many are reported. */
const MAX_TOLD = 100;
/** A message names objects, and a name may be megabytes long. */
const MAX_MESSAGE = 2000;
/**
 * Limit on the cost of checking one manifest, in units of about a microsecond. Ten thousand calculated columns cost
 * less; a manifest made to be slow would delay all other requests.
 */
const MAX_COST = 3_000_000;
/** Most errors are thrown twice, the second time with their position. */
const COST_OF_FAULT = 500;
/** Cost per candidate when searching for near names, both times. */
const COST_OF_NAME = 3;
/** A limit is met, and a cycle found, after many steps. */
const COST_OF_MANY_STEPS = 25_000;
const AFTER_MANY_STEPS: ReadonlySet<PlannerReason> = new Set(["LIMIT_DEPTH", "LIMIT_SIZE", "MANIFEST_CYCLE"]);
const WITH_NEAR_NAMES: ReadonlySet<PlannerReason> = new Set([
  "MANIFEST_EXPRESSION",
  "COLUMN_NOT_FOUND",
  "MODEL_NOT_FOUND",
]);

export class Problems {
  readonly #told: ManifestProblem[] = [];
  /** Messages of everything found, by which what only depends on it is known. */
  readonly #known = new Set<string>();
  readonly #names: number;
  #found = 0;
  #cost = 0;
  #skipped = 0;

  /** `names`: of how many names the near ones may have to be looked for. */
  constructor(names: number) {
    this.#names = names;
  }

  /** The result of `work`; `undefined` if it throws an error, which is noted for `object`. */
  attempt<T>(object: string, work: () => T): T | undefined {
    if (this.exhausted) {
      this.#skipped++;
      return undefined;
    }
    this.spend(1);
    try {
      return work();
    } catch (thrown) {
      const error = plannersOwn(thrown);
      this.spend(COST_OF_FAULT);
      if (WITH_NEAR_NAMES.has(error.reason)) this.spend(this.#names * COST_OF_NAME);
      if (AFTER_MANY_STEPS.has(error.reason)) this.spend(COST_OF_MANY_STEPS);
      this.note(object, error);
      return undefined;
    }
  }

  /** No further checks run. */
  get exhausted(): boolean {
    return this.#cost > MAX_COST;
  }

  spend(cost: number): void {
    this.#cost += cost;
  }

  /** Notes an error found at `object`, unless it is known: then `object` only depends on the faulty part. */
  note(object: string, error: PlannerError): void {
    if (!this.#isKnown(error)) this.#add(object, error);
  }

  /** Notes that `object` cannot be read; objects that need it report the same message. */
  unreadable(object: string, error: PlannerError): void {
    this.#add(object, error);
    this.#known.add(error.message);
  }

  #add(object: string, { reason, message, hint, suggestions }: PlannerError): void {
    const owner = message.includes(object) || reason === "MODEL_NOT_FOUND" ? object : ownerIn(message, object);
    const told = message.includes(owner) ? message : `${owner}: ${message}`;
    this.#known.add(told);
    if (reason === "MANIFEST_CYCLE") this.#known.add(cycleOf(message));
    this.#found++;
    if (this.#told.length >= MAX_TOLD) return;
    this.#told.push({
      reason,
      object: cut(owner),
      message: cut(told),
      ...(hint === undefined ? {} : { hint: cut(hint) }),
      ...(suggestions.length === 0 ? {} : { suggestions: suggestions.map(cut) }),
    });
  }

  /** Problems in the order found, and the number of further ones. A check that was cut short is a problem too. */
  report(): { readonly problems: readonly ManifestProblem[]; readonly more: number } {
    const more = this.#found - this.#told.length;
    if (this.#skipped === 0) return { problems: this.#told, more };
    const message = `the manifest takes too long to be checked whole: ${this.#skipped} checks were left out`;
    const unchecked: ManifestProblem = {
      reason: "LIMIT_SIZE",
      object: "manifest",
      message,
      hint: "Check it in parts.",
    };
    return { problems: [...this.#told, unchecked], more };
  }

  /** A message that is passed on gets the names of what passes it on in front, and places in these behind. */
  #isKnown({ reason, message }: PlannerError): boolean {
    if (message.length > MAX_COMPARED) return false;
    if (reason === "MANIFEST_CYCLE" && this.#known.has(cycleOf(message))) return true;
    const starts = [0, ...offsetsBehind(message, ": ")];
    const ends = [message.length, ...offsetsBehind(message, " (at ").map((offset) => offset - " (at ".length)];
    this.spend(starts.length * ends.length);
    return starts.some((start) => ends.some((end) => end > start && this.#known.has(message.slice(start, end))));
  }
}

/**
 * Prefix of a message that names the owner of the error: the check may first find it through an object that needs the
 * owner.
 */
const OWNER = /^(?:condition of )?((?:(?:column|row rule) "[^"]*" of model|relationship|model|view|cube) "[^"]*")/;

function ownerIn(message: string, object: string): string {
  return OWNER.exec(message)?.[1] ?? object;
}

/** Longer messages, or messages with more steps, are reported again: names can be made to look like many steps. */
const MAX_COMPARED = 4000;
const MAX_STEPS = 20;

function offsetsBehind(text: string, separator: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(separator); at >= 0 && offsets.length < MAX_STEPS; at = text.indexOf(separator, at + 1)) {
    offsets.push(at + separator.length);
  }
  return offsets;
}

/** The same for a cycle wherever it is entered: `a → b → a` and `b → a → b`. */
function cycleOf(message: string): string {
  const [first = "", ...others] = withoutPlaces(message).split(" → ");
  const steps = others.length === 0 ? [first] : others;
  const smallest = steps.reduce((least, step) => (step < least ? step : least));
  const from = steps.indexOf(smallest);
  return [...steps.slice(from), ...steps.slice(0, from)].join(" → ");
}

/** A message without the places that end it: ` (at …)`, any number of times. */
function withoutPlaces(message: string): string {
  let end = message.length;
  while (message[end - 1] === ")") {
    const open = message.lastIndexOf("(", end - 1);
    const close = message.lastIndexOf(")", end - 2);
    if (close > open || !message.startsWith(" (at ", open - 1)) break;
    end = open - 1;
  }
  return message.slice(0, end);
}

function cut(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}
