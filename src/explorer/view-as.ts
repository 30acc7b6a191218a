/** Session values of somebody else, as the page takes them: `tenant=acme, region=eu`. */

/** Undefined without any pair. */
export function valuesIn(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" ? [] : [[name.trim(), value.join("=").trim()] as const];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
