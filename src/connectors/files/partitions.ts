/** Directories named `key=value` in the path of a file. */

/** The steps of a name with this form, in order. */
export function keyedSteps(name: string): readonly string[] {
  return name
    .split("/")
    .slice(0, -1)
    .filter((step) => step.includes("="));
}

export function isPartitioned(name: string): boolean {
  return keyedSteps(name).length > 0;
}

/** `key=value` → `key`. */
export function keyOf(step: string): string {
  return step.slice(0, step.indexOf("="));
}

/** The value by which Spark and Hive name the directory of NULL. */
export const NULL_DIRECTORY = "__HIVE_DEFAULT_PARTITION__";
