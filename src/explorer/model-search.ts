/** Finds the parts of a model by words of their names and descriptions. */
import type { Cube, Described, Model, Project } from "./answers.ts";

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
