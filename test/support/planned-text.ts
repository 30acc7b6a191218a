/** A plan by texts alone, for threads of their own. */
import { loadManifest, plan } from "../../src/planner/index.ts";
import { requestOf } from "./plan.ts";

/** The SQL for a source, or the message of the refusal. */
export function plannedText(manifest: string, source: "mysql" | "clickhouse", sql = "SELECT id FROM t"): string {
  const loaded = loadManifest(manifest, 16 * 1024 * 1024);
  if (!loaded.ok) return loaded.error.message;
  const outcome = plan({ sql, ...requestOf(loaded.value, { source }) });
  return outcome.ok ? outcome.value.sql : outcome.error.message;
}
