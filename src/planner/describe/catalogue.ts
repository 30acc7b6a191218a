/** The objects of a manifest as one caller may see them: no hidden column, none that a rule keeps from it, no condition of a rule. */
import { denialsBeforeBinding } from "../binding/cube-denials.ts";
import { PlannerError } from "../diagnostics.ts";
import { targetOf } from "../dialects/targets.ts";
import { planningContext } from "../expand/context.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Annotated } from "../manifest/annotations.ts";
import type { JoinType } from "../manifest/data.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { Annotations, DataSource } from "../plan.ts";
import { describeType } from "../types.ts";
import { type EqualColumns, equalColumns } from "./relationships.ts";

export interface CatalogueRequest {
  readonly manifest: Manifest;
  readonly source: DataSource;
  readonly session: ReadonlyMap<string, string>;
  readonly accessControl: "standard" | "strict";
}

export interface Catalogue extends Annotations {
  readonly models: readonly CatalogueModel[];
  /** Relationships between visible models whose condition compares visible columns by equality alone. */
  readonly relationships: readonly CatalogueRelationship[];
  readonly views: readonly CatalogueObject[];
  readonly cubes: readonly CatalogueCube[];
  /** Session properties that row rules of the models read. Those of column rules are left out: they tell of a hidden column. */
  readonly rowRuleProperties: readonly string[];
}

export interface CatalogueObject extends Annotations {
  readonly name: string;
}

export interface CatalogueModel extends CatalogueObject {
  /** Columns of the key; absent if the caller may not see one of them. */
  readonly primaryKey?: readonly string[];
  readonly columns: readonly CatalogueColumn[];
  /** Columns that lead to other models: `customer` in `customer.name`. */
  readonly paths: readonly CataloguePath[];
}

export interface CatalogueColumn extends CatalogueObject {
  /** Name of the type in the input language. */
  readonly type: string;
  readonly nullable: boolean;
}

export interface CataloguePath extends CatalogueObject {
  readonly model: string;
  /** Numbers of rows from the model of the path to the other one. */
  readonly joinType: string;
}

export interface CatalogueRelationship extends CatalogueObject {
  readonly models: readonly [string, string];
  readonly joinType: string;
  /** Columns of the first model with the columns of the second that they equal. */
  readonly on: EqualColumns;
}

export interface CatalogueCube extends CatalogueObject {
  readonly measures: readonly CatalogueMember[];
  readonly dimensions: readonly CatalogueMember[];
  readonly timeDimensions: readonly CatalogueMember[];
}

export interface CatalogueMember extends CatalogueObject {
  readonly type: string;
}

/** Objects that cannot be read are left out: a query that names one gets the error. */
export function catalogueOf({ manifest: given, source, session, accessControl }: CatalogueRequest): Catalogue {
  const target = targetOf(source);
  const manifest = given.readBy(target.typeNames);
  const context = planningContext(
    manifest,
    {
      limits: DEFAULT_LIMITS,
      unlisted: target.unlisted,
      unknownFunctions: "refuse",
      timeZone: "UTC",
      stars: "every column",
      conceals: true,
    },
    { session, accessControl },
  );
  const { offer } = context;
  const model = (name: string): CatalogueModel | undefined => {
    const found = manifest.model(name);
    if (found === undefined) return undefined;
    const columns: CatalogueColumn[] = [];
    const paths: CataloguePath[] = [];
    for (const data of found.data.columns) {
      const column = found.column(data.name);
      if (column === undefined || !offer.shows(found, column)) continue;
      if (column.kind !== "handle") {
        const type = column.kind === "calculated" ? manifest.typeOf(data.type) : column.type;
        columns.push({
          name: data.name,
          type: describeType(type),
          nullable: !column.notNull,
          ...textsOf(data.annotations),
        });
        continue;
      }
      const relationship = manifest.relationship(data.relationship ?? "");
      const other = relationship?.models.find((each) => each !== name) ?? name;
      if (relationship === undefined || !manifest.has(other)) continue;
      const { joinType, annotations } = relationship;
      paths.push({
        name: data.name,
        model: other,
        joinType: relationship.models[0] === name ? joinType : REVERSED[joinType],
        ...textsOf(data.annotations ?? annotations),
      });
    }
    const shown = new Set(columns.map((column) => column.name));
    const isKeyShown = found.primaryKey.length > 0 && found.primaryKey.every((each) => shown.has(each));
    return {
      name,
      ...textsOf(found.data.annotations),
      ...(isKeyShown && { primaryKey: found.primaryKey }),
      columns,
      paths,
    };
  };
  const cube = (name: string): CatalogueCube | undefined => {
    const found = manifest.cube(name);
    if (found === undefined) return undefined;
    const members = denialsBeforeBinding(found, context).shown();
    if (members.length === 0) return undefined;
    const of = (kind: (typeof members)[number]["kind"]): readonly CatalogueMember[] =>
      members
        .filter((member) => member.kind === kind)
        .map(({ name: own, data }) => ({ name: own, type: typeOf(data.type, manifest), ...textsOf(data.annotations) }));
    return {
      name,
      ...textsOf(found.annotations),
      measures: of("measure"),
      dimensions: of("dimension"),
      timeDimensions: of("time dimension"),
    };
  };
  const models = named(manifest.data.models, model);
  const columnsOf = new Map(models.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
  return {
    ...textsOf(manifest.data.annotations),
    models,
    relationships: named(manifest.data.relationships, (name) => {
      const found = manifest.relationship(name);
      const on = found && equalColumns(found, (each) => columnsOf.get(each));
      if (found === undefined || on === undefined) return undefined;
      return { name, models: found.models, joinType: found.joinType, on, ...textsOf(found.annotations) };
    }),
    views: named(manifest.data.views, (name) => {
      const view = manifest.view(name);
      return view && { name, ...textsOf(view.annotations) };
    }),
    cubes: named(manifest.data.cubes, cube),
    rowRuleProperties: [
      ...new Set(
        models.flatMap(({ name }) =>
          (manifest.model(name)?.data.rowRules ?? []).flatMap(({ properties }) => properties.map((each) => each.name)),
        ),
      ),
    ],
  };
}

const REVERSED: Readonly<Record<JoinType, JoinType>> = {
  ONE_TO_ONE: "ONE_TO_ONE",
  ONE_TO_MANY: "MANY_TO_ONE",
  MANY_TO_ONE: "ONE_TO_MANY",
  MANY_TO_MANY: "MANY_TO_MANY",
};

const typeOf = (text: string, manifest: Manifest): string =>
  text === "" ? "unknown" : describeType(manifest.typeOf(text));

const textsOf = (annotated: Annotated | undefined): Annotations => annotated?.annotations ?? {};

function named<T, R>(entries: readonly Entry<T>[], describe: (name: string) => R | undefined): readonly R[] {
  return entries.flatMap(({ name }) => {
    try {
      return describe(name) ?? [];
    } catch (error) {
      if (error instanceof PlannerError) return [];
      throw error;
    }
  });
}
