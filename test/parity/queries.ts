/** Queries by slugs, which stay when others come: lists of what is refused or answered otherwise name them so. */
export type Queries = Readonly<Record<string, string>>;

export interface Question {
  /** `construct/slug`, `functions/slug` or `subject/slug`. */
  readonly name: string;
  readonly sql: string;
}

export const questionsOf = (group: string, queries: Queries): readonly Question[] =>
  Object.entries(queries).map(([slug, sql]) => ({ name: `${group}/${slug}`, sql }));

/** For a title of "%s", which shows all of a name; "$name" cuts it short. */
export const titled = <Q extends Question>(
  questions: readonly Q[],
): readonly (readonly [name: string, question: Q])[] => questions.map((question) => [question.name, question]);
