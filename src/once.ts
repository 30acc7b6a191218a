/**
 * A value that is made when it is first asked for. An isolate runs all its modules before it answers, and a schema of
 * zod takes longer to make than a statement to plan: each is made by the first request that needs it.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
