/**
 * A value that is created on first use. An isolate runs all its modules before it answers, and creating a zod schema takes longer
 * than planning a statement: the first request that needs a schema creates it.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
