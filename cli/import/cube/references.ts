/** References in Cube's SQL: `{CUBE}.column`, `{member}`, `{CUBE.member}`, `{other.member}`, also with a dollar sign. */
import { Unmapped } from "../sql-text.ts";

export interface Reference {
  readonly parts: readonly string[];
  /** The column after `{CUBE}.` or `{other}.`. */
  readonly column: string | undefined;
}

const REFERENCE = /\$?\{\s*([A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)\s*\}(?:\.("(?:[^"]|"")+"|`[^`]+`|[A-Za-z_]\w*))?/g;

/** The text with each reference replaced. Throws `Unmapped` for any other use of braces, such as a call or a filter parameter. */
export function withReferences(text: string, replace: (reference: Reference) => string): string {
  const rest = text.replaceAll(REFERENCE, "");
  const strange = /\$?\{[^}]*\}?/.exec(rest);
  if (strange !== null) throw new Unmapped(`${strange[0].slice(0, 60)} is not evaluated.`);
  return text.replaceAll(REFERENCE, (_, path: string, column: string | undefined) =>
    replace({ parts: path.split("."), column }),
  );
}
