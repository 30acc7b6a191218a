/** Errors and suggestions for unknown and ambiguous names. */
import { PlannerError } from "../diagnostics.ts";
import type { ColumnData } from "../manifest/data.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { nearestNames } from "../suggest.ts";
import type { Identifier, Span } from "../syntax/tree.ts";
import { ModelRelation, type Relation } from "./relation.ts";

/** Facts about the clause of a name, in addition to the relations it can see. */
export interface NamePlace {
  /** The clause as messages call it. */
  readonly clause: string;
  /** True for an output name of the SELECT that is defined after this clause or next to it. */
  readonly isLaterAlias: (name: Identifier) => boolean;
  readonly manifest: Manifest;
  /** Whether the caller may not learn of the column of this model, by its exact name. */
  readonly conceals: (model: string, column: string) => boolean;
}

/** A name of one part that no visible relation offers. `relations` are those of this level, then of the levels around. */
export function columnNotFound(
  name: Identifier,
  relations: readonly Relation[],
  span: Span,
  place: NamePlace | undefined,
): PlannerError {
  const visible = namesOf(relations);
  const suggestions = nearestNames(name.name, visible);
  const hint = columnHint(name, relations, visible, suggestions, place);
  return new PlannerError("COLUMN_NOT_FOUND", `column "${name.name}" not found`, { span, suggestions, hint });
}

/** Names that are looked through for near ones. */
const MOST_NAMES = 100_000;

function namesOf(relations: readonly Relation[]): readonly string[] {
  const names: string[] = [];
  for (const relation of relations) {
    if (names.length >= MOST_NAMES) break;
    for (const name of relation.shownNames()) names.push(name);
  }
  return names;
}

/** The error for `relation.name` without such a column. */
export function columnNotIn(name: Identifier, relation: Relation, span: Span): PlannerError {
  const visible = relation.shownNames();
  const suggestions = nearestNames(name.name, visible);
  return new PlannerError("COLUMN_NOT_FOUND", `column "${name.name}" not found in "${relation.name}"`, {
    span,
    suggestions,
    hint: sentences(caseHint(name, suggestions) ?? nearHint(suggestions), columnsHere(visible)),
  });
}

/** `qualifier.name`, where no relation answers to the qualifier. */
export function relationNotFound(
  qualifier: readonly Identifier[],
  relations: readonly Relation[],
  span: Span,
): PlannerError {
  const name = qualifier.map((part) => part.name).join(".");
  const last = qualifier[qualifier.length - 1]?.name ?? "";
  const visible = relations.map((relation) => relation.name).filter((each) => each !== "");
  const suggestions = nearestNames(last, visible);
  return new PlannerError("COLUMN_NOT_FOUND", `no table or alias "${name}" in FROM`, {
    span,
    suggestions,
    hint: sentences(
      aliasHint(last, relations) ?? nearHint(suggestions) ?? memberHint(qualifier, relations),
      visible.length > 0 ? `In FROM: ${listed(visible)}.` : "There is no FROM.",
    ),
  });
}

export function ambiguous(name: string, span: Span, owners: readonly string[]): PlannerError {
  const distinct = [...new Set(owners)].filter((owner) => owner !== "");
  const where = distinct.length > 1 ? `: it is in ${distinct.map((owner) => `"${owner}"`).join(" and ")}` : "";
  return new PlannerError("AMBIGUOUS_COLUMN", `column "${name}" is ambiguous${where}`, {
    span,
    hint:
      distinct.length > 1 ? `Qualify it, for example ${distinct[0]}.${name}.` : "Give the columns distinct aliases.",
  });
}

/** The likeliest mistake, and what can be named instead: programs that repair their SQL see no more than this. */
function columnHint(
  name: Identifier,
  relations: readonly Relation[],
  visible: readonly string[],
  suggestions: readonly string[],
  place: NamePlace | undefined,
): string {
  const here = visible.length > 0 ? columnsHere(visible) : "No table in FROM offers any column.";
  return sentences(likeliestMistake(name, relations, visible, suggestions, place), here);
}

function likeliestMistake(
  name: Identifier,
  relations: readonly Relation[],
  visible: readonly string[],
  suggestions: readonly string[],
  place: NamePlace | undefined,
): string | undefined {
  if (place?.isLaterAlias(name) === true) {
    return `${place.clause} does not see the alias "${name.name}": repeat its expression, or select from a subquery.`;
  }
  const cased = caseHint(name, suggestions);
  if (cased !== undefined) return cased;
  const near = nearHint(suggestions);
  const relation = relations.find((each) => sameWord(each.name, name.name));
  if (near !== undefined && (relation === undefined || suggestions.some((each) => sameWord(each, name.name))))
    return near;
  if (relation !== undefined) return `"${relation.name}" is a table: name one of its columns, or write count(*).`;
  const owners = place === undefined ? [] : modelsWith(name.name, place);
  if (owners.length > 0) return `It is a column of ${listed(owners)}, which FROM does not name.`;
  if (name.quoted && visible.length > 0) return `Double quotes make a name; a text is written '${excerpt(name.name)}'.`;
  return undefined;
}

const sentences = (...all: readonly (string | undefined)[]): string =>
  all.filter((each) => each !== undefined).join(" ");

const columnsHere = (visible: readonly string[]): string => `Columns: ${listed(visible)}.`;

function caseHint(name: Identifier, suggestions: readonly string[]): string | undefined {
  const exact = name.quoted ? suggestions.find((near) => sameWord(near, name.name)) : undefined;
  return exact === undefined ? undefined : `Quoted names are compared exactly: write "${exact}".`;
}

export function nearHint(suggestions: readonly string[]): string | undefined {
  if (suggestions.length === 0) return undefined;
  return `Did you mean ${suggestions.map((near) => `"${near}"`).join(" or ")}?`;
}

/** A model under an alias does not answer to its own name. */
function aliasHint(name: string, relations: readonly Relation[]): string | undefined {
  const renamed = relations
    .filter((each) => each instanceof ModelRelation)
    .find((each) => sameWord(each.model.name, name));
  return renamed === undefined || sameWord(renamed.name, name)
    ? undefined
    : `"${renamed.model.name}" is called "${renamed.name}" here.`;
}

/** `attributes.colour`: a member of a value, as some sources write it. */
function memberHint(qualifier: readonly Identifier[], relations: readonly Relation[]): string | undefined {
  const [only, ...others] = qualifier;
  if (only === undefined || others.length > 0) return undefined;
  const known = relations.some((relation) => relation.find(only.name, only.quoted).kind === "found");
  return known ? `"${only.name}" is a column: members of JSON values are read with ->>.` : undefined;
}

/** Models with a column that this caller may see; faulty models are none of this query's business. */
function modelsWith(column: string, { manifest, conceals }: NamePlace): readonly string[] {
  const models = manifest.data.models.flatMap(({ dataIfValid }) => dataIfValid ?? []);
  const isVisible = ({ isHidden, rule, relationship }: ColumnData): boolean =>
    !isHidden && rule === undefined && relationship === undefined;
  return models
    .filter(({ name, columns }) =>
      columns.some((each) => sameWord(each.name, column) && isVisible(each) && !conceals(name, each.name)),
    )
    .slice(0, 3)
    .map((model) => model.name);
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function excerpt(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`.toWellFormed();
}

/** At most 30 names, then how many more there are (docs/decisions/0004-errors-that-can-be-repaired.md). */
export function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, 30).map((name) => `"${name}"`);
  const more = distinct.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
