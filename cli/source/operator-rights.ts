/**
 * The rights of the person at the terminal. They are the operator's: access rules apply only to a session that `--as` names, because
 * whoever holds the connection's password reads all rows anyway.
 */
import type { Terminal } from "../terminal.ts";

type Members = Record<string, unknown>;

/** The manifest for a session; without one, the manifest without its rules, with a note that says so. */
export function manifestFor(
  manifestText: string,
  session: ReadonlyMap<string, string>,
  terminal: Pick<Terminal, "err">,
): string {
  if (session.size > 0) return manifestText;
  const open = withoutRules(manifestText);
  if (open !== manifestText) {
    terminal.err("note: access rules do not apply, because no session is given. --as NAME=VALUE applies them.\n");
  }
  return open;
}

/** The same text if the manifest has no rule. */
export function withoutRules(manifestText: string): string {
  if (!/"(?:row|column)LevelAccessControls?"/.test(manifestText)) return manifestText;
  let manifest: Members;
  try {
    manifest = JSON.parse(manifestText) as Members;
  } catch {
    // The reader of manifests reports it.
    return manifestText;
  }
  if (!Array.isArray(manifest["models"])) return manifestText;
  const models = (manifest["models"] as readonly Members[]).map((model) => {
    const { rowLevelAccessControls: _, columns, ...others } = model;
    if (!Array.isArray(columns)) return { ...others, ...(columns !== undefined && { columns }) };
    return {
      ...others,
      columns: (columns as readonly Members[]).map((column) => {
        const { columnLevelAccessControl: _rule, ...open } = column;
        return open;
      }),
    };
  });
  return JSON.stringify({ ...manifest, models });
}
