/** State of the reference: the description of the API, the credential, the chosen operation. */
import { signal } from "@preact/signals";
import { ApiFailure } from "../answers.ts";
import { ask } from "../api.ts";
import { type Reference, referenceOf } from "./document.ts";

export type Opening =
  | { readonly kind: "loading" }
  | { readonly kind: "open"; readonly reference: Reference }
  | { readonly kind: "failed"; readonly message: string };

export const opening = signal<Opening>({ kind: "loading" });
/** A key or token, in memory only. */
export const token = signal<string | undefined>(undefined);
/** The id of the operation that is shown. It stands in the address behind `#`. */
export const chosen = signal<string | undefined>(undefined);
export const search = signal("");

/** The operation that is opened first: it works with the bundled project. */
const FIRST = "v3_projectQuery";

export async function start(): Promise<void> {
  opening.value = { kind: "loading" };
  try {
    const response = await ask({ path: "/openapi.json", token: token.value });
    const reference = referenceOf(await response.json());
    opening.value = { kind: "open", reference };
    choose(location.hash.slice(1), reference);
  } catch (error) {
    const message = error instanceof ApiFailure ? error.failure.message : "The description of the API is not readable.";
    opening.value = { kind: "failed", message };
  }
}

export function choose(id: string, { groups }: Pick<Reference, "groups">): void {
  const operations = groups.flatMap((group) => group.operations);
  const operation =
    operations.find((each) => each.id === id) ?? operations.find((each) => each.id === FIRST) ?? operations[0];
  chosen.value = operation?.id;
}
