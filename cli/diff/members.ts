/** How a change of each member of a manifest is classed. The compiler holds the table complete: a new member needs a row. */
import type { Kind, MemberOf } from "../../src/planner/manifest/members.ts";
import type { TextKind } from "./canonical.ts";

/**
 * `breaking`: questions fail or mean something else. `loosened`: a session may see more than before. `compatible`: neither.
 */
export type ChangeClass = "breaking" | "loosened" | "compatible";

export interface MemberClass {
  readonly added: ChangeClass;
  readonly removed: ChangeClass;
  readonly changed: ChangeClass;
  readonly text?: TextKind;
  /** The order of the list means nothing. */
  readonly isSet?: true;
  /** The value of an absent member: writing it out changes nothing. */
  readonly absent?: unknown;
}

const row = (
  [added, removed, changed]: readonly [ChangeClass, ChangeClass, ChangeClass],
  more: Omit<MemberClass, "added" | "removed" | "changed"> = {},
): MemberClass => ({ added, removed, changed, ...more });

const [B, L, C] = ["breaking", "loosened", "compatible"] as const;

const ALWAYS = (text?: TextKind): MemberClass => row([B, B, B], text === undefined ? {} : { text });
const NEVER = row([C, C, C]);
/** Lists of objects: adding one disturbs nobody. */
const OBJECTS = row([C, B, B]);
const FLAG = (off: ChangeClass, on: ChangeClass): MemberClass => row([on, off, B], { absent: false });
const NOTES = { description: NEVER, properties: NEVER } as const;
const CACHING = { cached: NEVER, refreshTime: NEVER } as const;
const NAMED = { name: ALWAYS() } as const;

export const MEMBER_CLASSES = {
  manifest: {
    $schema: NEVER,
    layoutVersion: NEVER,
    catalog: ALWAYS(),
    schema: ALWAYS(),
    dataSource: NEVER,
    models: OBJECTS,
    relationships: OBJECTS,
    views: OBJECTS,
    cubes: OBJECTS,
    metrics: OBJECTS,
    cumulativeMetrics: OBJECTS,
    enumDefinitions: OBJECTS,
    macros: OBJECTS,
    dateSpine: row([C, B, B]),
    sampleDataFolder: NEVER,
    ...NOTES,
  },
  model: {
    ...NAMED,
    tableReference: ALWAYS(),
    refSql: ALWAYS("native"),
    baseObject: ALWAYS(),
    columns: OBJECTS,
    primaryKey: row([C, B, B], { isSet: true }),
    uniqueKeys: row([C, B, B], { isSet: true }),
    // An added rule hides rows from questions that had them.
    rowLevelAccessControls: row([B, L, L]),
    // Without it, expressions may be computed before a rule excludes a row.
    readMayFail: FLAG(L, B),
    dialect: NEVER,
    ...CACHING,
    ...NOTES,
  },
  tableReference: { catalog: ALWAYS(), schema: ALWAYS(), table: ALWAYS(), ...NOTES },
  column: {
    ...NAMED,
    type: ALWAYS("type"),
    relationship: ALWAYS(),
    isCalculated: FLAG(B, B),
    expression: ALWAYS("expression"),
    notNull: FLAG(B, C),
    isHidden: FLAG(L, B),
    columnLevelAccessControl: row([B, L, L]),
    ...NOTES,
  },
  rowRule: {
    ...NAMED,
    requiredProperties: row([B, L, L]),
    condition: row([B, L, L], { text: "rule" }),
    ...NOTES,
  },
  columnRule: {
    name: NEVER,
    requiredProperties: row([B, L, L]),
    operator: row([B, L, L]),
    threshold: row([B, L, L]),
    ...NOTES,
  },
  property: { ...NAMED, required: FLAG(L, B), defaultExpr: row([L, B, L], { text: "expression" }), ...NOTES },
  threshold: { value: row([L, L, L]), dataType: row([L, L, L]) },
  relationship: {
    ...NAMED,
    models: ALWAYS(),
    joinType: ALWAYS(),
    condition: ALWAYS("expression"),
    manySideSortKeys: NEVER,
    ...NOTES,
  },
  sortKey: { name: NEVER, ordering: NEVER, isDescending: NEVER, ...NOTES },
  view: { ...NAMED, statement: ALWAYS("query"), dialect: NEVER, ...NOTES },
  cube: {
    ...NAMED,
    baseObject: ALWAYS(),
    measures: OBJECTS,
    dimensions: OBJECTS,
    timeDimensions: OBJECTS,
    hierarchies: row([C, B, B]),
    ...CACHING,
    ...NOTES,
  },
  cubeMember: { ...NAMED, expression: ALWAYS("expression"), type: ALWAYS("type"), ...NOTES },
  metric: {
    ...NAMED,
    baseObject: ALWAYS(),
    dimension: OBJECTS,
    measure: OBJECTS,
    timeGrain: OBJECTS,
    ...CACHING,
    ...NOTES,
  },
  metricColumn: {
    ...NAMED,
    expression: ALWAYS("expression"),
    type: NEVER,
    relationship: NEVER,
    isCalculated: NEVER,
    notNull: NEVER,
    ...NOTES,
  },
  timeGrain: { ...NAMED, refColumn: ALWAYS(), dateParts: row([B, C, B], { isSet: true }), ...NOTES },
  cumulativeMetric: { ...NAMED, baseObject: ALWAYS(), measure: ALWAYS(), window: ALWAYS(), ...CACHING, ...NOTES },
  cumulativeMeasure: { ...NAMED, type: NEVER, operator: ALWAYS(), refColumn: ALWAYS(), ...NOTES },
  window: { ...NAMED, refColumn: ALWAYS(), timeUnit: ALWAYS(), start: ALWAYS(), end: ALWAYS(), ...NOTES },
  dateSpine: { unit: ALWAYS(), start: ALWAYS(), end: ALWAYS(), ...NOTES },
  enum: { ...NAMED, values: OBJECTS, ...NOTES },
  enumValue: { ...NAMED, value: ALWAYS(), ...NOTES },
  macro: { ...NAMED, definition: ALWAYS("native"), ...NOTES },
} as const satisfies { readonly [K in Kind]: Readonly<Record<MemberOf<K>, MemberClass>> };
