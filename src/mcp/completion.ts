/** Completes names of models and cubes in addresses of resources, among those that the caller may see. */
import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";
import { catalogueOf } from "./catalogue.ts";
import type { Session } from "./use-cases.ts";

/** The protocol allows no more. */
const MOST = 100;

export async function completions(session: Session, { ref, argument }: CompleteRequestParams): Promise<CompleteResult> {
  if (ref.type !== "ref/resource" || argument.name !== "name") return complete([]);
  const prefix = `siskin://${session.project.name}/`;
  const kind = ref.uri.startsWith(prefix) ? ref.uri.slice(prefix.length).split("/")[0] : undefined;
  if (kind !== "model" && kind !== "cube") return complete([]);
  const catalogue = await catalogueOf(session);
  const begun = argument.value.toLowerCase();
  const names = (kind === "model" ? catalogue.models : catalogue.cubes).map(({ name }) => name);
  const starting = names.filter((name) => name.toLowerCase().startsWith(begun));
  const containing = names.filter((name) => !starting.includes(name) && name.toLowerCase().includes(begun));
  return complete([...starting, ...containing]);
}

function complete(all: readonly string[]): CompleteResult {
  return { completion: { values: all.slice(0, MOST), total: all.length, hasMore: all.length > MOST } };
}
