/** The JSON Schema of manifests: it agrees with the reader, as a validator of others sees it. */
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { checkOfManifest, loadManifest, type ManifestProblem } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { manifestSchema } from "../../../src/planner/manifest/json-schema.ts";
import { type Kind, MEMBERS, type Member } from "../../../src/planner/manifest/members.ts";
import { committedManifests } from "../../support/manifests.ts";

const validate = new Ajv({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  allErrors: true,
  verbose: true,
}).compile(manifestSchema());

/** Errors of the validator. Letter case alone is none: the schema offers capitals, the reader ignores case. */
function errorsOf(manifest: unknown): readonly string[] {
  validate(manifest);
  return (validate.errors ?? [])
    .filter(({ keyword, data, params }) => {
      return keyword !== "enum" || typeof data !== "string" || !params["allowedValues"].includes(data.toUpperCase());
    })
    .map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The first fault that the service's own strict check reports about the shape of the manifest. */
function faultOf(manifest: object): string | undefined {
  const loaded = loadManifest(Buffer.from(JSON.stringify(manifest)).toString("base64"), 10_000_000);
  if (!loaded.ok) return loaded.error.message;
  const report = checkOfManifest({
    manifest: loaded.value,
    source: "duckdb",
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
  });
  if (!report.ok) return report.error.message;
  return report.value.problems.find(isOfShape)?.message;
}

/** Faults of a value name its path; those of what an object refers to name the object. */
const isOfShape = ({ reason, message }: ManifestProblem): boolean =>
  (reason === "MANIFEST_SCHEMA" && /\bmanifest\.\w+\[|\bUnknown relationship type:/.test(message)) ||
  (reason === "MANIFEST_SOURCE" && /^model .* has (?:no|more than one) source/.test(message));

const WHOLE = {
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders" },
      columns: [
        { name: "id", type: "INTEGER" },
        {
          name: "total",
          type: "INTEGER",
          columnLevelAccessControl: {
            name: "r",
            requiredProperties: [{ name: "level" }],
            operator: "EQUALS",
            threshold: { value: "1", dataType: "NUMERIC" },
          },
        },
        { name: "customer", type: "customers", relationship: "oc" },
      ],
      primaryKey: "id",
      uniqueKeys: [["id"]],
      rowLevelAccessControls: [{ name: "r", requiredProperties: [{ name: "level" }], condition: "total = @level" }],
    },
    { name: "customers", refSql: "SELECT 1 AS id", columns: [{ name: "id", type: "INTEGER" }] },
  ],
  relationships: [
    {
      name: "oc",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.id = customers.id",
      manySideSortKeys: [{ name: "id" }],
    },
  ],
  views: [{ name: "v", statement: "SELECT id FROM orders" }],
  cubes: [
    {
      name: "c",
      baseObject: "orders",
      measures: [{ name: "n", expression: "count(id)", type: "BIGINT" }],
      dimensions: [],
      timeDimensions: [],
      hierarchies: {},
    },
  ],
  metrics: [
    {
      name: "m",
      baseObject: "orders",
      dimension: [{ name: "id" }],
      measure: [{ name: "n", expression: "count(id)" }],
      timeGrain: [{ name: "g", refColumn: "id", dateParts: ["DAY"] }],
    },
  ],
  cumulativeMetrics: [
    {
      name: "cm",
      baseObject: "v",
      measure: { name: "s", operator: "sum", refColumn: "id" },
      window: { name: "w", refColumn: "id", timeUnit: "DAY", start: "2026-01-01", end: "2026-01-02" },
    },
  ],
  enumDefinitions: [{ name: "E", values: [{ name: "A" }] }],
  macros: [{ name: "twice", definition: "(a: Expression) => {{ a }} + {{ a }}" }],
  dateSpine: { unit: "DAY" },
};

interface Place {
  readonly kind: Kind;
  readonly object: Record<string, unknown>;
  readonly path: string;
}

/** Every object of `value` with its kind, by the table of members. */
function places(value: unknown, kind: Kind, path: string): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => places(item, kind, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  const object = value as Record<string, unknown>;
  const members: Readonly<Record<string, Member>> = MEMBERS[kind];
  const inner = Object.entries(members).flatMap(([name, { holds }]) =>
    typeof holds === "string"
      ? []
      : places(object[name], ("one" in holds ? holds.one : holds.many) as Kind, `${path}.${name}`),
  );
  return [{ kind, object, path }, ...inner];
}

const copy = (): typeof WHOLE => structuredClone(WHOLE);
const everyPlace = places(WHOLE, "manifest", "manifest");

describe("a validator of others", () => {
  test("accepts a manifest with an object of every kind", () => {
    expect(new Set(everyPlace.map(({ kind }) => kind))).toEqual(new Set(Object.keys(MEMBERS)));
    expect(errorsOf(WHOLE)).toEqual([]);
    expect(faultOf(WHOLE)).toBeUndefined();
  });

  test.each(committedManifests())("accepts %s as the reader does", (_name, manifest) => {
    const [error] = errorsOf(manifest);
    const fault = faultOf(manifest);
    expect(error === undefined, `${error} / ${fault}`).toBe(fault === undefined);
  });
});

/** Another value than the reader takes, for each type of member. */
function wrongValue({ holds, values }: Member): unknown {
  if (values !== undefined) return "SOMETHING";
  if (typeof holds !== "string") return "one" in holds ? [1] : { a: 1 };
  return {
    text: 5,
    flag: "yes",
    integer: "four",
    texts: 5,
    "text or texts": 5,
    "lists of texts": [5],
    "map of texts": 5,
    free: undefined,
  }[holds];
}

const changes = everyPlace.flatMap(({ kind, path }, index) =>
  Object.entries(MEMBERS[kind] as Readonly<Record<string, Member>>)
    .filter(([, { ignored }]) => ignored === undefined)
    .flatMap(([name, member]) => [
      ...(member.required ? [[`${path} without ${name}`, index, name, undefined, false] as const] : []),
      // No value is wrong for a free member.
      ...(member.holds === "free"
        ? []
        : [[`${path} with a wrong ${name}`, index, name, wrongValue(member), false] as const]),
      ...(member.required ? [] : [[`${path} with null as ${name}`, index, name, null, true] as const]),
    ]),
);

describe("reader and schema judge alike", () => {
  test.each(changes)("%s", (_what, index, name, value, isRight) => {
    const changed = copy();
    const place = places(changed, "manifest", "manifest")[index]!;
    const isOnlySource = ["tableReference", "refSql"].includes(name) && place.object[name] !== undefined;
    if (value === undefined) delete place.object[name];
    else place.object[name] = value;
    expect([errorsOf(changed).length === 0, faultOf(changed) === undefined]).toEqual(
      isRight && !isOnlySource ? [true, true] : [false, false],
    );
  });
});

describe("every example", () => {
  const examples = Object.entries(MEMBERS).flatMap(([kind, members]) =>
    Object.entries(members as Readonly<Record<string, Member>>).map(([name, member]) => [kind, name, member] as const),
  );

  test.each(examples)("of %s.%s is valid", (kind, name, { holds, example, ignored }) => {
    if (example === undefined) {
      expect(typeof holds === "object" || ignored).toBe(true);
      return;
    }
    const definition = kind === "manifest" ? "#" : `#/definitions/${kind}`;
    const schema = { ...manifestSchema(), $ref: `${definition}/properties/${name}` };
    const {
      properties: _,
      required: __,
      additionalProperties: ___,
      type: ____,
      ...rest
    } = schema as Record<string, unknown>;
    const whole = { ...rest, properties: manifestSchema()["properties"] };
    const check = new Ajv({ strict: false }).compile(
      kind === "manifest" ? (manifestSchema()["properties"] as Record<string, object>)[name]! : whole,
    );
    expect(check(example), JSON.stringify(check.errors)).toBe(true);
  });
});
