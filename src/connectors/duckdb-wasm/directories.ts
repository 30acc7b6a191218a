/** Directories that are called `key=value`, whose types the engine itself reads off them. */

/** Those steps of a name, in their order. */
export function keyedSteps(name: string): readonly string[] {
  return name
    .split("/")
    .slice(0, -1)
    .filter((step) => step.includes("="));
}

/** What else means something in a name of the engine is not looked into. */
export function isStrange(step: string): boolean {
  return !/^[\w=%:+ .-]*$/.test(step) || step.includes("..");
}
