/**
 * What a target says for each function of the catalogue. The table is complete by type: a function that it does not
 * mention, or a name that the catalogue does not have, does not compile. Silence must never mean "as PostgreSQL does".
 */
import type { FunctionName } from "../functions/catalogue.ts";
import type { Call, Expression } from "../syntax/tree.ts";

/**
 * `same`: the target's function of that name means the same for every value that the catalogue's takes, which a test
 * shows by running it (`test/parity/functions.test.ts`). Else another name that does, a rewrite, or why there is none.
 */
export type Saying = "same" | OtherSaying;
type OtherSaying = { readonly as: string } | Refusal | ((call: Call) => Expression);

interface Refusal {
  /** What the target has no word for; completes "this source cannot say …". */
  readonly refused: string;
  readonly hint?: string;
}

export type Sayings = ReadonlyMap<string, Saying>;

/** The words of a text, as a union. */
type Words<Text extends string, Found extends string = never> = Text extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | Text;

/** `same` lists names separated by blanks; `others` must be all the rest of the catalogue, and nothing else. */
export function sayings<const Same extends readonly string[]>(
  same: Same & ([Words<Same[number]>] extends [FunctionName] ? unknown : never),
  others: Readonly<Record<Exclude<FunctionName, Words<Same[number]>>, OtherSaying>>,
): Sayings {
  const names = same.flatMap((line: string) => line.split(" "));
  return new Map([...names.map((name): [string, Saying] => [name, "same"]), ...Object.entries<OtherSaying>(others)]);
}
