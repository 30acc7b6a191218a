/** The plan of a query over a project: without the source's SQL, which holds the conditions and values of rules. */
import { type Explanation, explain } from "../explain.ts";
import type { CallContext } from "../services.ts";
import { PROJECT_MANIFEST, type UsedProject } from "./open.ts";

export interface ProjectQuestion {
  readonly sql: string;
  readonly parameters?: readonly unknown[] | undefined;
}

export type ProjectExplanation = Partial<Explanation> & Pick<Explanation, "columns" | "warnings" | "descriptions">;

/** Throws `ServiceError`. */
export function explainProject(
  { services, connection, pointer: { show } }: UsedProject,
  context: CallContext,
  question: ProjectQuestion,
): ProjectExplanation {
  const { source } = connection;
  const explained = explain(services, context, { ...question, source, manifestStr: PROJECT_MANIFEST });
  const { columns, warnings, lineage } = explained;
  if (show.sql) return show.lineage ? explained : without(explained);
  const named = new Set(lineage.flatMap(({ sources }) => sources));
  // Columns that only a rule reads are left out, and models of which no column is returned.
  const descriptions = explained.descriptions.filter(({ kind, name, of }) => {
    if (kind === "column") return named.has(`${of}.${name}`);
    if (kind === "model") return [...named].some((each) => each.startsWith(`${name}.`));
    return true;
  });
  return {
    columns,
    warnings,
    descriptions,
    descriptionsOmitted: explained.descriptionsOmitted,
    ...(show.lineage && { lineage }),
  };
}

function without({ lineage: _, ...explained }: Explanation): ProjectExplanation {
  return explained;
}
