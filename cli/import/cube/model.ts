/** A cube of Cube as a model with columns, and the SQL of its members. */
import { identifierIn, written } from "../../project/identifier.ts";
import type { CubeDraft, Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { rejectValueWithoutRow } from "../joined-rows.ts";
import type { ImportedColumn } from "../manifest.ts";
import { type ModelDraft, type ModelHead, UNKNOWN_TYPE } from "../model-draft.ts";
import { expressionIn, Unmapped } from "../sql-text.ts";
import type { CubeSource } from "./cube-source.ts";
import { withReferences } from "./references.ts";

export interface CubeModel {
  readonly source: CubeSource;
  readonly model: ModelDraft;
  readonly cube: CubeDraft;
  /** Dimensions by name, with their SQL in the source's own language; undefined for those that read another cube. */
  readonly dimensions: Map<string, { readonly item: Item; readonly native: string | undefined }>;
}

const CUBE = {
  mapped: [
    ...["name", "sql_table", "sql", "extends", "description", "joins", "dimensions", "measures", "segments"],
    ...["hierarchies", "access_policy", "public", "shown", "title"],
  ],
  silent: ["meta", "sql_alias", "data_source"],
  harmless: ["pre_aggregations", "refresh_key"],
};
const DIMENSION = {
  mapped: ["name", "sql", "type", "primary_key", "case", "description", "title", "public", "shown"],
  silent: ["meta", "format", "order", "links"],
  refused: {
    sub_query: "a dimension that is a query has no counterpart.",
    granularities: "granularities of one's own have no counterpart.",
    latitude: "a place has no counterpart.",
    longitude: "a place has no counterpart.",
  },
};
const SEGMENT = { mapped: ["name", "sql", "description", "title", "public", "shown"], silent: ["meta"] };
const TYPES: Readonly<Record<string, string>> = { string: "VARCHAR", time: "TIMESTAMP", boolean: "BOOLEAN" };

/** Whether members of the API show it: `public: false`, or `shown: false` of older models, hides it. */
export const isPublic = (item: Item): boolean => item.get("public") !== false && item.get("shown") !== false;

/** Undefined if the cube is refused as a whole. */
export function readCube(source: CubeSource, sources: readonly CubeSource[], draft: Draft): CubeModel | undefined {
  const { name, at, items } = source;
  const object = `cube "${name}"`;
  if (!items.every((item) => hasKnownMembers(item, object, CUBE, draft.report))) return undefined;
  const from = draft.attempt(object, at, () => tableOf(source, draft));
  if (from === undefined) return undefined;
  const description = source.text("description")?.text;
  const model = draft.model({ name, ...(description !== undefined && { description }), ...from }, at);
  if (model === undefined) return undefined;
  const cube = draft.cube(model, at, { ...(description !== undefined && { description }) });
  const made: CubeModel = { source, model, cube, dimensions: new Map() };
  const members = [...source.members("dimensions")];
  for (const item of members) addDimension(item, made, { members, sources, draft });
  for (const item of source.members("segments")) addSegment(item, made, members, draft);
  model.primaryKey = members
    .filter((item) => item.get("primary_key") === true)
    .flatMap((item) => model.column(item.text("name") ?? "")?.name ?? []);
  return made;
}

function tableOf(source: CubeSource, draft: Draft): Pick<ModelHead, "tableReference" | "refSql"> {
  const [table, sql] = [source.text("sql_table"), source.text("sql")];
  if (table !== undefined) {
    const named = draft.table(table.text);
    if (named !== undefined) return { tableReference: named };
    throw new Unmapped(`The table ${table.text.slice(0, 100)} is no name, and templates are not evaluated.`);
  }
  if (sql === undefined) throw new Unmapped("It has neither sql_table nor sql.");
  const refSql = withReferences(sql.text, ({ parts }) => {
    throw new Unmapped(`Its query reads ${parts.join(".")}, which is not evaluated.`);
  });
  const simple = /^\s*SELECT\s+\*\s+FROM\s+([\w."`]+)\s*;?\s*$/i.exec(refSql)?.[1];
  const named = simple === undefined ? undefined : draft.table(simple);
  return named === undefined ? { refSql: refSql.trim().replace(/;\s*$/, "") } : { tableReference: named };
}

/** SQL of the source for a member of the cube, or `undefined` if it reads another cube. Throws `Unmapped`. */
export function nativeSql(
  text: string,
  { source: { name } }: Pick<CubeModel, "source">,
  dimensions: readonly Item[],
  active: readonly string[] = [],
): string {
  return withReferences(text, ({ parts, column }) => {
    const [first = "", second] = parts;
    const isOwn = first === "CUBE" || first === name || first === "TABLE";
    if (column !== undefined) {
      if (parts.length === 1 && isOwn) return column;
      throw new Unmapped(`The SQL reads ${first}.${column}, a column of another cube.`);
    }
    const member = isOwn ? second : parts.length === 1 ? first : undefined;
    if (member === undefined)
      throw new Unmapped(`The SQL reads ${parts.join(".")}, which is no dimension of the cube.`);
    const item = dimensions.find((each) => each.text("name") === member);
    if (item === undefined) throw new Unmapped(`The SQL reads ${member}, which is no dimension of the cube.`);
    if (active.includes(member)) throw new Unmapped(`The dimension ${member} reads itself.`);
    const inner = sqlOfDimension(item, { source: { name } as CubeSource }, dimensions, [...active, member]);
    return identifierIn(inner) === undefined ? `(${inner})` : inner;
  });
}

function sqlOfDimension(
  item: Item,
  made: Pick<CubeModel, "source">,
  dimensions: readonly Item[],
  active: readonly string[],
): string {
  const choice = item.item("case");
  if (choice === undefined) return nativeSql(item.text("sql") ?? item.text("name") ?? "", made, dimensions, active);
  const branches = choice.items("when").map((each) => {
    const [condition, label] = [each.text("sql"), each.text("label")];
    if (condition === undefined || label === undefined)
      throw new Unmapped("A branch of case has no sql or no text as its label.");
    return `WHEN ${nativeSql(condition, made, dimensions, active)} THEN ${literal(label)}`;
  });
  const other = choice.item("else")?.text("label");
  return `CASE ${branches.join(" ")}${other === undefined ? "" : ` ELSE ${literal(other)}`} END`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

interface Context {
  /** Dimensions of the cube. */
  readonly members: readonly Item[];
  readonly sources: readonly CubeSource[];
  readonly draft: Draft;
}

function addDimension(item: Item, made: CubeModel, { members: dimensions, sources, draft }: Context): void {
  const name = item.text("name");
  const object = `dimension "${name ?? ""}" of cube "${made.source.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, DIMENSION, draft.report)) return;
  const type = item.text("type") ?? "string";
  if (!["string", "number", "time", "boolean"].includes(type)) {
    draft.report.refuse(object, `A dimension of type ${type} has no counterpart.`, item.at("type"));
    return;
  }
  const { model, cube } = made;
  const description = item.text("description") ?? item.text("title");
  const head = { name, type: TYPES[type] ?? UNKNOWN_TYPE, ...(description !== undefined && { description }) };
  draft.attempt(object, item.at(item.text("sql") === undefined ? "name" : "sql"), () => {
    const other = otherMember(item.text("sql") ?? "", made);
    if (other !== undefined) rejectOtherValue(item.text("sql") ?? "", sources, draft);
    const native = other === undefined ? sqlOfDimension(item, made, dimensions, [name]) : undefined;
    if (native !== undefined && identifierIn(native) === undefined) expressionIn(native);
    const column: ImportedColumn = {
      ...head,
      ...(native !== undefined && native !== name && { expression: native }),
      ...(other !== undefined && { isCalculated: true as const, expression: other }),
      ...(!isPublic(item) && { isHidden: true as const }),
    };
    if (!model.add(column, item.at("name"))) return;
    made.dimensions.set(name, { item, native });
    const kind = type === "time" ? "time dimension" : "dimension";
    if (isPublic(item)) draft.member(cube, kind, { name, expression: written(name) }, item.at("name"));
  });
}

/** A reference to a dimension of another cube, and nothing else: a path in the input language. */
function otherMember(text: string, { source: { name } }: Pick<CubeModel, "source">): string | undefined {
  const [, cube, member] = /^\s*\$?\{\s*(\w+)\.(\w+)\s*\}\s*$/.exec(text) ?? [];
  if (cube === undefined || member === undefined || cube === "CUBE" || cube === name) return undefined;
  return `${written(cube)}.${written(member)}`;
}

/** Cube computes the other cube's dimension after the join. Throws `Unmapped` if a row without a partner would have another value. */
function rejectOtherValue(text: string, sources: readonly CubeSource[], draft: Draft): void {
  const [, cube, member] = /(\w+)\.(\w+)/.exec(text) ?? [];
  const source = sources.find(({ name }) => name === cube);
  const dimensions = source?.members("dimensions") ?? [];
  const dimension = dimensions.find((each) => each.text("name") === member);
  if (source === undefined || dimension === undefined) return;
  const native = sqlOfDimension(dimension, { source }, dimensions, []);
  if (identifierIn(native) === undefined) rejectValueWithoutRow(native, draft.source);
}

/** A segment is a condition that queries name: a column of truth values. */
function addSegment(item: Item, made: CubeModel, dimensions: readonly Item[], draft: Draft): void {
  const name = item.text("name");
  const object = `segment "${name ?? ""}" of cube "${made.source.name}"`;
  if (name === undefined || !hasKnownMembers(item, object, SEGMENT, draft.report)) return;
  draft.attempt(object, item.at("sql"), () => {
    const native = nativeSql(item.text("sql") ?? "", made, dimensions);
    expressionIn(native);
    const hidden = isPublic(item) ? {} : { isHidden: true as const };
    if (!made.model.add({ name, type: "BOOLEAN", expression: native, ...hidden }, item.at("name"))) return;
    if (isPublic(item)) draft.member(made.cube, "dimension", { name, expression: written(name) }, item.at("name"));
  });
}
