/** Finds the parts of a model by words of their names and descriptions. */
import type { Cube, Described, Model, ModelColumn, Project } from "./answers.ts";

/** Objects with all the words in their names or descriptions; a model stays if one of its columns does. */
export function matching(found: Pick<Project, "models" | "views" | "cubes">, words: readonly string[]) {
  const fits = ({ name, description = "" }: Described): boolean => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const models = found.models.flatMap((model): readonly Model[] => {
    if (fits(model)) return [model];
    const columns = model.columns.filter(fits);
    const paths = model.paths.filter(fits);
    return columns.length + paths.length > 0 ? [{ ...model, columns, paths }] : [];
  });
  const cubes = found.cubes.filter((cube) => fits(cube) || membersOf(cube).some(({ member }) => fits(member)));
  return { models, views: found.views.filter(fits), cubes };
}

export const membersOf = ({ measures, dimensions, timeDimensions }: Cube) => [
  ...measures.map((member) => ({ member, icon: "Σ" })),
  ...dimensions.map((member) => ({ member, icon: "◇" })),
  ...timeDimensions.map((member) => ({ member, icon: "◷" })),
];

export interface ListedColumn {
  readonly model: Model;
  readonly column: ModelColumn;
}

/** Columns that the project declares as searchable; without any, its texts, which a project may list, too. */
export function listedColumns({ models }: Pick<Project, "models">): readonly ListedColumn[] {
  const all = models.flatMap((model) => model.columns.map((column) => ({ model, column })));
  const declared = all.filter(({ column }) => String(column.properties?.["searchable"]) === "true");
  return declared.length > 0 ? declared : all.filter(({ column }) => column.type === "text");
}
