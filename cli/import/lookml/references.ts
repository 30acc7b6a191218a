/** References in LookML's SQL: `${TABLE}.column`, `${field}`, `${view.field}`, `${view.SQL_TABLE_NAME}`. */
import { Unmapped } from "../sql-text.ts";

export interface Reference {
  readonly parts: readonly string[];
  /** The column after `${TABLE}.`, as it is written. */
  readonly column: string | undefined;
}

const REFERENCE =
  /\$\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}(?:\.("(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[A-Za-z_]\w*))?/g;

/** The text with each reference replaced. Throws `Unmapped` for Liquid, constants that are not known and other uses of braces. */
export function withReferences(text: string, replace: (reference: Reference) => string): string {
  const liquid = /\{\{|\{%/.exec(text);
  if (liquid !== null) throw new Unmapped(`Liquid is not evaluated: ${text.slice(liquid.index, liquid.index + 60)}`);
  const constant = /@\{[^}]*\}?/.exec(text);
  if (constant !== null) throw new Unmapped(`The constant ${constant[0]} is not known.`);
  const strange = /\$\{[^}]*\}?/.exec(text.replaceAll(REFERENCE, ""));
  if (strange !== null) throw new Unmapped(`${strange[0].slice(0, 60)} is not evaluated.`);
  return text.replaceAll(REFERENCE, (_, path: string, column: string | undefined) =>
    replace({ parts: path.split("."), column }),
  );
}
