/** Static descriptions of a source: its functions, and rules for writing its SQL. Texts are loaded on demand. */
import { describedFunctions, type FunctionRecord } from "../planner/describe/functions.ts";
import type { Knowledge } from "../planner/describe/knowledge.ts";
import { targetOf } from "../planner/dialects/targets.ts";
import type { DataSource } from "../planner/plan.ts";
import type { Operation } from "./operations.ts";
import { toServiceError } from "./translate.ts";

export type { FunctionRecord, Knowledge };

/** All signatures, or those of one lower-case name, which may be none. Throws `ServiceError`. */
export function functions(source: DataSource, name?: string): Promise<readonly FunctionRecord[]> {
  return describing("functions", async () => {
    const [{ FUNCTION_TEXTS }, { SYNONYM_TEXTS }, { LISTED_OTHERWISE }] = await Promise.all([
      import("../planner/describe/function-texts.ts"),
      import("../planner/describe/synonym-texts.ts"),
      import("../planner/describe/listed-otherwise.ts"),
    ]);
    const described = describedFunctions(source, {
      functions: FUNCTION_TEXTS,
      synonyms: SYNONYM_TEXTS,
      otherwise: LISTED_OTHERWISE,
    });
    const asked = name === undefined ? described : described.filter((each) => each.name === name);
    return asked.flatMap(({ records }) => records);
  });
}

/** Throws `ServiceError`. */
export function knowledge(source: DataSource): Promise<Knowledge> {
  return describing("knowledge", async () => {
    const dialect = targetOf(source).name;
    const { knowledgeOf } = await import("../planner/describe/knowledge.ts");
    return knowledgeOf(source, dialect);
  });
}

async function describing<T>(operation: Operation, describe: () => Promise<T>): Promise<T> {
  try {
    return await describe();
  } catch (error) {
    throw toServiceError(error, { operation });
  }
}
