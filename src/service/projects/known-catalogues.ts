/**
 * Catalogues that this isolate has made: what a caller may see of a manifest depends on the manifest, the source, the access control and
 * the session's values alone. Agents ask for the same one with each step.
 */
import type { Catalogue, CatalogueRequest, Manifest } from "../../planner/index.ts";

/** Sessions of one manifest. */
const MOST_SESSIONS = 32;

const known = new WeakMap<Manifest, Map<string, Catalogue>>();

/** `make` is called where the catalogue is not known; what it throws is not kept. */
export function knownCatalogue(request: CatalogueRequest, make: () => Catalogue): Catalogue {
  const { manifest, source, accessControl, session } = request;
  const key = JSON.stringify([source, accessControl, [...session].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  let catalogues = known.get(manifest);
  if (catalogues === undefined) {
    catalogues = new Map();
    known.set(manifest, catalogues);
  }
  const found = catalogues.get(key) ?? make();
  catalogues.delete(key);
  catalogues.set(key, found);
  const [oldest] = catalogues.keys();
  if (catalogues.size > MOST_SESSIONS && oldest !== undefined) catalogues.delete(oldest);
  return found;
}
