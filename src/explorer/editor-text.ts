/** Where names that somebody clicks go: the editor, once it is there, or the end of the statement. */
import { sql } from "./state.ts";

let target: ((text: string) => void) | undefined;

export function insertBy(inserting: ((text: string) => void) | undefined): void {
  target = inserting;
}

export function insert(text: string): void {
  if (target !== undefined) target(text);
  else sql.value = sql.value === "" ? text : `${sql.value} ${text}`;
}
