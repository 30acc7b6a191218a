/** Descriptions and properties of the manifest's objects that a plan uses, as far as its caller may know of them. */
import type { BindingContext } from "../binding/context.ts";
import type { Annotated } from "../manifest/annotations.ts";
import type { Annotations, DescribedKind, Description, Descriptions, PlanRead } from "../plan.ts";

/** Characters of all descriptions and properties of one answer. */
const MOST_CHARACTERS = 256 * 1024;

/** `reads`: what `readsOf` returns, which names no column that the caller may not know of. */
export function descriptionsOf(context: BindingContext, reads: readonly PlanRead[]): Descriptions {
  const list = new DescriptionList();
  const { manifest } = context;
  list.add("manifest", manifest.catalog, undefined, manifest.data.annotations);
  for (const { model, columns } of reads) {
    const data = manifest.model(model)?.data;
    if (data === undefined) continue;
    list.add("model", model, undefined, data.annotations);
    const named = new Set(columns);
    for (const column of data.columns) {
      if (named.has(column.name)) list.add("column", column.name, model, column.annotations);
    }
  }
  for (const name of context.namedQueries) {
    const view = manifest.view(name);
    if (view !== undefined) list.add("view", name, undefined, view.annotations);
    const cube = manifest.cube(name);
    if (cube === undefined) continue;
    list.add("cube", name, undefined, cube.annotations);
    const named = context.namedMembers.get(name);
    for (const member of cube.members) {
      if (named?.has(member.name) === true) list.add(member.kind, member.name, name, member.data.annotations);
    }
  }
  for (const name of context.followed) {
    list.add("relationship", name, undefined, manifest.relationship(name)?.annotations);
  }
  return list;
}

class DescriptionList implements Descriptions {
  readonly objects: Description[] = [];
  omitted = 0;
  #characters = 0;

  add(kind: DescribedKind, name: string, of: string | undefined, annotated: Annotated | undefined): void {
    if (annotated === undefined) return;
    const { annotations } = annotated;
    this.#characters += lengthOf(annotations);
    if (this.#characters > MOST_CHARACTERS) {
      this.omitted++;
      return;
    }
    this.objects.push({ kind, name, ...(of !== undefined && { of }), ...annotations });
  }
}

function lengthOf({ description = "", properties }: Annotations): number {
  return description.length + (properties === undefined ? 0 : JSON.stringify(properties).length);
}
