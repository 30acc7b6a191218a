/** A manifest without one of its objects, and without the parts that name it. */
import type { CubeMember, ImportedManifest } from "./manifest.ts";

/** The same manifest if it has no such object. `object` is written as in the planner's messages. */
export function removed(manifest: ImportedManifest, object: string): ImportedManifest {
  const [, kind = "", name = ""] = /^([a-z ]+) "(.*?)"(?: of |$)/.exec(object) ?? [];
  const [, owner] = /" of (?:model|cube) "(.*)"$/.exec(object) ?? [];
  if (owner === undefined) return withoutObject(manifest, kind, name);
  // A rule that is lost would show rows: its model goes with it.
  if (kind === "row rule" || kind === "column rule") return withoutObject(manifest, "model", owner);
  if (kind === "column") return withoutColumn(manifest, owner, name);
  return withoutMember(manifest, owner, name);
}

function withoutObject(manifest: ImportedManifest, kind: string, name: string): ImportedManifest {
  const { models, relationships, cubes, views = [] } = manifest;
  const isOther = (each: { readonly name: string }): boolean => each.name !== name;
  switch (kind) {
    case "model": {
      if (models.every(isOther)) return manifest;
      const related = relationships.filter((each) => each.models.includes(name)).map((each) => each.name);
      const without = related.reduce<ImportedManifest>(
        (rest, relationship) => withoutObject(rest, "relationship", relationship),
        { ...manifest, models: models.filter(isOther), cubes: cubes.filter(({ baseObject }) => baseObject !== name) },
      );
      return without;
    }
    case "relationship":
      if (relationships.every(isOther)) return manifest;
      return {
        ...manifest,
        relationships: relationships.filter(isOther),
        models: models.map((model) => ({
          ...model,
          columns: model.columns.filter(({ relationship }) => relationship !== name),
        })),
      };
    case "cube":
      return cubes.every(isOther) ? manifest : { ...manifest, cubes: cubes.filter(isOther) };
    case "view":
      return views.every(isOther) ? manifest : { ...manifest, views: views.filter(isOther) };
    default:
      return manifest;
  }
}

function withoutColumn(manifest: ImportedManifest, owner: string, name: string): ImportedManifest {
  let isFound = false;
  const models = manifest.models.map((model) => {
    if (model.name !== owner) return model;
    const columns = model.columns.filter((column) => column.name !== name);
    if (columns.length === model.columns.length) return model;
    isFound = true;
    const { primaryKey, uniqueKeys, ...others } = model;
    const key = typeof primaryKey === "string" ? [primaryKey] : (primaryKey ?? []);
    const keys = (uniqueKeys ?? []).filter((each) => !each.includes(name));
    return {
      ...others,
      columns,
      ...(primaryKey !== undefined && !key.includes(name) && { primaryKey }),
      ...(keys.length > 0 && { uniqueKeys: keys }),
    };
  });
  return isFound ? { ...manifest, models } : manifest;
}

function withoutMember(manifest: ImportedManifest, owner: string, name: string): ImportedManifest {
  let isFound = false;
  const rest = (members: readonly CubeMember[] = []): readonly CubeMember[] => {
    const others = members.filter((each) => each.name !== name);
    if (others.length < members.length) isFound = true;
    return others;
  };
  const cubes = manifest.cubes.map((cube) => {
    if (cube.name !== owner) return cube;
    const { measures, dimensions, timeDimensions } = cube;
    return {
      ...cube,
      measures: rest(measures),
      dimensions: rest(dimensions),
      timeDimensions: rest(timeDimensions),
    };
  });
  return isFound ? { ...manifest, cubes } : manifest;
}
