/** Changes between manifests: every member added, removed and changed; edits that mean nothing; rules that become looser. */
import { describe, expect, test } from "vitest";
import { type Change, changesBetween } from "../../../cli/diff/changes.ts";
import { type Kind, MEMBERS, type Member } from "../../../src/planner/manifest/members.ts";

type Json = Record<string, unknown>;

const membersOf = (kind: Kind): Readonly<Record<string, Member>> => MEMBERS[kind];

/** An object of a kind with every member, made from the examples of the format. */
function full(kind: Kind): Json {
  return Object.fromEntries(
    Object.entries(membersOf(kind)).map(([name, { holds, example }]) => {
      if (typeof holds !== "object") return [name, example];
      if ("many" in holds) return [name, [full(holds.many as Kind)]];
      return [name, full(holds.one as Kind)];
    }),
  );
}

/** The first object of a kind in a manifest. */
function located(object: Json, kind: Kind, wanted: Kind): Json | undefined {
  if (kind === wanted) return object;
  for (const [name, { holds }] of Object.entries(membersOf(kind))) {
    if (typeof holds !== "object") continue;
    const inner = ("many" in holds ? holds.many : holds.one) as Kind;
    const value = "many" in holds ? (object[name] as Json[])[0] : (object[name] as Json);
    const found = value === undefined ? undefined : located(value, inner, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function changedValue({ holds, example }: Member, value: unknown): unknown {
  if (typeof holds === "object")
    return "many" in holds ? [...(value as Json[]), { ...(value as Json[])[0], name: "another", extra: 1 }] : undefined;
  switch (holds) {
    case "text":
    case "text or texts":
      return `${String(example)}2`;
    case "flag":
      return !(value as boolean);
    case "integer":
      return Number(value) - 1;
    case "texts":
      return [...(value as string[]), "another"];
    case "lists of texts":
      return [...(value as string[][]), ["another"]];
    case "map of texts":
      return { ...(value as Json), another: ["x"] };
    case "free":
      return { another: true };
    default:
      return holds satisfies never;
  }
}

/** Class of each member, added, removed, changed: breaking, loosened, compatible; `-` where a case does not exist. */
const EXPECTED: Readonly<Record<Kind, string>> = {
  manifest: `$schema ccc; layoutVersion ccc; catalog bbb; schema bbb; dataSource ccc; models cbc; relationships cbc; views cbc; cubes cbc;
    metrics cbc; cumulativeMetrics cbc; enumDefinitions cbc; macros cbc; dateSpine cb-; sampleDataFolder ccc; description ccc; properties ccc`,
  model: `name bbb; tableReference bb-; refSql bbb; baseObject bbb; columns cbc; primaryKey cbb; uniqueKeys cbb; rowLevelAccessControls blb;
    readMayFail bll; dialect ccc; cached ccc; refreshTime ccc; description ccc; properties bbb`,
  tableReference: "catalog bbb; schema bbb; table bbb; description ccc; properties ccc",
  column: `name bbb; type bbb; relationship bbb; isCalculated bbb; expression bbb; notNull cbb; isHidden bll; columnLevelAccessControl bl-;
    description ccc; properties ccc`,
  rowRule: "name ccc; requiredProperties blb; condition bll; description ccc; properties ccc",
  columnRule: "name ccc; requiredProperties blb; operator bll; threshold bl-; description ccc; properties ccc",
  property: "name lll; required bll; defaultExpr lbl; description ccc; properties ccc",
  threshold: "value lll; dataType lll",
  relationship:
    "name bbb; models bbb; joinType bbb; condition bbb; manySideSortKeys ccc; description ccc; properties ccc",
  sortKey: "name ccc; ordering ccc; isDescending ccc; description ccc; properties ccc",
  view: "name bbb; statement bbb; dialect ccc; description ccc; properties ccc",
  cube: `name bbb; baseObject bbb; measures cbc; dimensions cbc; timeDimensions cbc; hierarchies cbb; cached ccc; refreshTime ccc;
    description ccc; properties ccc`,
  cubeMember: "name bbb; expression bbb; type bbb; description ccc; properties ccc",
  metric:
    "name bbb; baseObject bbb; dimension cbc; measure cbc; timeGrain cbc; cached ccc; refreshTime ccc; description ccc; properties ccc",
  metricColumn:
    "name bbb; expression bbb; type ccc; relationship ccc; isCalculated ccc; notNull ccc; description ccc; properties ccc",
  timeGrain: "name bbb; refColumn bbb; dateParts bcb; description ccc; properties ccc",
  cumulativeMetric:
    "name bbb; baseObject bbb; measure bb-; window bb-; cached ccc; refreshTime ccc; description ccc; properties ccc",
  cumulativeMeasure: "name bbb; type ccc; operator bbb; refColumn bbb; description ccc; properties ccc",
  window: "name bbb; refColumn bbb; timeUnit bbb; start bbb; end bbb; description ccc; properties ccc",
  dateSpine: "unit bbb; start bbb; end bbb; description ccc; properties ccc",
  enum: "name bbb; values cbc; description ccc; properties ccc",
  enumValue: "name bbb; value bbb; description ccc; properties ccc",
  macro: "name bbb; definition bbb; description ccc; properties ccc",
};

const worst = (changes: readonly Change[]): string =>
  changes.some((each) => each.class === "loosened")
    ? "l"
    : changes.some((each) => each.class === "breaking")
      ? "b"
      : changes.length > 0
        ? "c"
        : "nothing";

describe("every member of a manifest", () => {
  const cases = Object.entries(EXPECTED).flatMap(([kind, text]) =>
    text.split(";").map((part) => {
      const [member = "", classes = ""] = part.trim().split(/\s+/);
      return [kind as Kind, member, classes] as const;
    }),
  );

  test("the table has each of them", () => {
    const listed = cases.map(([kind, member]) => `${kind}.${member}`).sort();
    const all = Object.entries(MEMBERS).flatMap(([kind, members]) =>
      Object.keys(members).map((member) => `${kind}.${member}`),
    );
    expect(listed).toEqual(all.sort());
  });

  test.each(cases)("%s.%s: %s", (kind, member, classes) => {
    const [whole, without, changed] = [full("manifest"), full("manifest"), full("manifest")];
    delete located(without, "manifest", kind)![member];
    const object = located(changed, "manifest", kind)!;
    object[member] = changedValue(membersOf(kind)[member]!, object[member]);
    const found = [
      worst(changesBetween(without, whole)),
      worst(changesBetween(whole, without)),
      object[member] === undefined ? "-" : worst(changesBetween(whole, changed)),
    ];
    expect(found.join("")).toBe(classes);
  });

  test("a manifest and itself have no changes", () => {
    expect(changesBetween(full("manifest"), full("manifest"))).toEqual([]);
  });
});

const RULE = { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition: "tenant = @tenant" };
const BASE = {
  layoutVersion: 4,
  catalog: "shop",
  schema: "public",
  models: [
    {
      name: "orders",
      tableReference: { schema: "public", table: "orders" },
      primaryKey: ["id", "line"],
      uniqueKeys: [["number", "year"]],
      columns: [
        { name: "id", type: "INTEGER", notNull: true },
        { name: "line", type: "INTEGER" },
        { name: "tenant", type: "VARCHAR", expression: "tenant_name" },
        { name: "secret", type: "VARCHAR", isHidden: true },
        {
          name: "net",
          type: "DECIMAL(12, 2)",
          isCalculated: true,
          expression: "price * quantity - coalesce(discount, 0)",
        },
        {
          name: "open",
          type: "BOOLEAN",
          isCalculated: true,
          expression: "status = 'open' AND paid_at IS NULL OR id <> 3",
        },
        { name: "customer", type: "customers", relationship: "orders_customers" },
      ],
      rowLevelAccessControls: [RULE],
    },
    {
      name: "customers",
      refSql: "SELECT id, name FROM raw.customers",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR" },
      ],
    },
  ],
  relationships: [
    {
      name: "orders_customers",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.customer_id = customers.id",
    },
  ],
  views: [{ name: "big", statement: "SELECT id, net FROM orders WHERE net > 100 AND open ORDER BY id" }],
  cubes: [
    {
      name: "sales",
      baseObject: "orders",
      measures: [{ name: "revenue", expression: "sum(net)", type: "DECIMAL(18,2)" }],
      dimensions: [{ name: "tenant", expression: "tenant", type: "VARCHAR" }],
      timeDimensions: [],
      hierarchies: { place: ["country", "city"] },
    },
  ],
};

/** The base with texts of its JSON replaced. */
function edited(...pairs: readonly (readonly [string, string])[]): Json {
  let text = JSON.stringify(BASE);
  for (const [from, to] of pairs) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  return JSON.parse(text) as Json;
}

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map(reordered);
    return list.every((each) => typeof each === "object" && each !== null && "name" in each) ? list.reverse() : list;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reordered(each)]),
  );
}

const NET = '"price * quantity - coalesce(discount, 0)"';
const OPEN = "\"status = 'open' AND paid_at IS NULL OR id <> 3\"";
const VIEW = '"SELECT id, net FROM orders WHERE net > 100 AND open ORDER BY id"';
const CONDITION = '"orders.customer_id = customers.id"';
const text = (value: string): string => JSON.stringify(value);

const NEUTRAL: readonly (readonly [what: string, after: Json])[] = [
  ["objects and members in another order", reordered(BASE) as Json],
  ["keys in another order", edited(['["id","line"]', '["line","id"]'], ['["number","year"]', '["year","number"]'])],
  [
    "a false flag written out",
    edited([
      '"type":"INTEGER","notNull":true',
      '"type":"INTEGER","notNull":true,"isHidden":false,"isCalculated":false',
    ]),
  ],
  ["an empty list", edited(['"timeDimensions":[],', ""])],
  ["an empty text", edited(['"name":"line",', '"name":"line","expression":"",'])],
  ["a null", edited(['"name":"line",', '"name":"line","relationship":null,'])],
  ["a description", edited(['"name":"line",', '"name":"line","description":"A line.",'])],
  ["properties", edited(['"name":"line",', '"name":"line","properties":{"a":1},'])],
  [
    "a cached flag",
    edited(['"name":"orders","tableReference"', '"name":"orders","cached":true,"refreshTime":"1h","tableReference"']),
  ],
  ["the version of the layout", edited(['"layoutVersion":4', '"layoutVersion":3'])],
  ["a data source", edited(['"catalog":"shop"', '"catalog":"shop","dataSource":"POSTGRES","$schema":"x"'])],
  ["a dialect", edited(['"name":"big",', '"name":"big","dialect":"POSTGRES",'])],
  [
    "sort keys",
    edited([
      '"joinType":"MANY_TO_ONE"',
      '"joinType":"MANY_TO_ONE","manySideSortKeys":[{"name":"id","ordering":"DESC"}]',
    ]),
  ],
  ["blanks in a type", edited(['"DECIMAL(12, 2)"', '"DECIMAL(12,2)"'])],
  ["capitals of a type", edited(['"DECIMAL(12, 2)"', '"decimal(12, 2)"'])],
  ["a column name in quotes", edited(['"expression":"tenant_name"', '"expression":" tenant_name "'])],
  ...[
    "price*quantity-coalesce(discount,0)",
    "PRICE * Quantity - COALESCE(discount, 0)",
    "quantity * price - coalesce(discount, 0)",
    "(price * quantity) - coalesce(discount, 0)",
    "price * quantity\n  - coalesce(discount, 0)",
    "price * quantity - coalesce(discount, 0) -- net",
    "/* net */ price * quantity - coalesce(discount, 0)",
    '"price" * quantity - coalesce("discount", 0)',
    "((price) * (quantity)) - (coalesce(discount, 0))",
    "\tprice * quantity - coalesce(discount , 0)\n",
  ].map((sql) => [sql, edited([NET, text(sql)])] as const),
  ...[
    "STATUS = 'open' AND paid_at IS NULL OR id <> 3",
    "paid_at IS NULL AND status = 'open' OR id <> 3",
    "id <> 3 OR status = 'open' AND paid_at IS NULL",
    "id != 3 OR (paid_at IS NULL AND status = 'open')",
    "3 <> id OR ('open' = status AND paid_at is null)",
    "(status = 'open' AND paid_at IS NULL) OR (id <> 3)",
    "((status = 'open') AND (paid_at IS NULL)) OR id <> 3",
    "status = 'open' and paid_at is null or id <> 3",
    "status='open' AND paid_at IS NULL OR id<>3",
    "status = 'open' AND paid_at IS NULL OR id <> 3 OR id <> 3",
  ].map((sql) => [sql, edited([OPEN, text(sql)])] as const),
  ...[
    "select id, net from orders where net > 100 and open order by id",
    "SELECT id,net FROM orders WHERE open AND net>100 ORDER BY id",
    "SELECT id, net FROM orders WHERE 100 < net AND open ORDER BY id",
    "SELECT id, net FROM orders WHERE (net > 100) AND (open) ORDER BY id;",
    "-- large ones\nSELECT id, net\nFROM orders\nWHERE net > 100\n  AND open\nORDER BY id",
    'SELECT "id", net FROM "orders" WHERE net > 100 AND open ORDER BY id',
    "SELECT id, net FROM orders /* all */ WHERE net > 100 AND open ORDER BY id",
  ].map((sql) => [sql, edited([VIEW, text(sql)])] as const),
  ...[
    "customers.id = orders.customer_id",
    "orders.customer_id=customers.id",
    "(orders.customer_id = customers.id)",
    "ORDERS.customer_id = Customers.id",
  ].map((sql) => [sql, edited([CONDITION, text(sql)])] as const),
  ...[
    "@tenant = tenant",
    "(tenant = @tenant)",
    "TENANT = @tenant",
    "tenant=@tenant",
    "tenant = @tenant AND tenant = @tenant",
  ].map((sql) => [sql, edited(['"tenant = @tenant"', text(sql)])] as const),
  ...[
    "SELECT id,  name\nFROM raw.customers",
    "SELECT id, name FROM raw.customers;",
    "SELECT id, name -- both\nFROM raw.customers",
    " SELECT id, name FROM /* x */ raw.customers ",
  ].map((sql) => [sql, edited(['"SELECT id, name FROM raw.customers"', text(sql)])] as const),
  ...["sum( net )", "SUM(net)", "sum(net) /* all */"].map((sql) => [sql, edited(['"sum(net)"', text(sql)])] as const),
];

describe("neutral edits", () => {
  test("there are fifty", () => {
    expect(NEUTRAL.length).toBeGreaterThanOrEqual(50);
  });

  test.each(NEUTRAL)("%s", (_, after) => {
    expect(changesBetween(BASE, after).filter((change) => change.class !== "compatible")).toEqual([]);
    expect(changesBetween(after, BASE).filter((change) => change.class !== "compatible")).toEqual([]);
  });
});

const SEEDED: readonly (readonly [what: string, expected: "b" | "l" | "c", after: Json])[] = [
  [
    "a rule is gone",
    "l",
    edited([`"rowLevelAccessControls":[${JSON.stringify(RULE)}]`, '"rowLevelAccessControls":[]']),
  ],
  ["a rule's condition is true", "l", edited(['"tenant = @tenant"', '"true"'])],
  ["an alternative of a rule", "l", edited(['"tenant = @tenant"', '"tenant = @tenant OR id = 1"'])],
  ["a comparison without capitals", "l", edited(['"tenant = @tenant"', '"lower(tenant) = lower(@tenant)"'])],
  ["another operator of a rule", "l", edited(['"tenant = @tenant"', '"tenant >= @tenant"'])],
  ["another column of a rule", "l", edited(['"tenant = @tenant"', '"line = @tenant"'])],
  ["another property of a rule", "l", edited(['"tenant = @tenant"', '"tenant = @other"'])],
  ["a further condition of a rule", "b", edited(['"tenant = @tenant"', '"tenant = @tenant AND id > 3"'])],
  [
    "a second rule",
    "b",
    edited(['"rowLevelAccessControls":[', '"rowLevelAccessControls":[{"name":"more","condition":"id > 3"},']),
  ],
  ["a property that may be absent", "l", edited(['"required":true', '"required":false'])],
  ["a property with a default", "l", edited(['"required":true', `"required":true,"defaultExpr":"'a'"`])],
  ["the column of a rule means something else", "l", edited(['"tenant_name"', "\"'a'\""])],
  ["the column of a rule is gone", "l", edited(['{"name":"tenant","type":"VARCHAR","expression":"tenant_name"},', ""])],
  [
    "the column of a rule has another type",
    "l",
    edited(['"name":"tenant","type":"VARCHAR"', '"name":"tenant","type":"CHAR(1)"']),
  ],
  ["a hidden column is shown", "l", edited([',"isHidden":true', ""])],
  [
    "a column becomes hidden",
    "b",
    edited(['"name":"line","type":"INTEGER"', '"name":"line","type":"INTEGER","isHidden":true']),
  ],
  ["a column is gone", "b", edited(['{"name":"line","type":"INTEGER"},', ""])],
  [
    "a column is added",
    "c",
    edited(['{"name":"line","type":"INTEGER"},', '{"name":"line","type":"INTEGER"},{"name":"x","type":"DATE"},']),
  ],
  ["a column is renamed", "b", edited(['{"name":"line"', '{"name":"lines"'])],
  ["a column's type", "b", edited(['"name":"line","type":"INTEGER"', '"name":"line","type":"BIGINT"'])],
  ["digits of a type", "b", edited(['"DECIMAL(12, 2)"', '"DECIMAL(12, 3)"'])],
  ["a column may be NULL", "b", edited([',"notNull":true', ""])],
  [
    "a column is never NULL",
    "c",
    edited(['"name":"line","type":"INTEGER"', '"name":"line","type":"INTEGER","notNull":true']),
  ],
  ["an operator of an expression", "b", edited([NET, text("price + quantity - coalesce(discount, 0)")])],
  ["operands that may not be swapped", "b", edited([NET, text("coalesce(discount, 0) - price * quantity")])],
  ["a literal of an expression", "b", edited([NET, text("price * quantity - coalesce(discount, 1)")])],
  ["a text's capitals", "b", edited([OPEN, text("status = 'Open' AND paid_at IS NULL OR id <> 3")])],
  ["blanks in a text", "b", edited([OPEN, text("status = 'open ' AND paid_at IS NULL OR id <> 3")])],
  ["grouping of a condition", "b", edited([OPEN, text("status = 'open' AND (paid_at IS NULL OR id <> 3)")])],
  ["AND for OR", "b", edited([OPEN, text("status = 'open' AND paid_at IS NULL AND id <> 3")])],
  [
    "a calculated column becomes plain",
    "b",
    edited([',"isCalculated":true,"expression":"price', ',"expression":"price']),
  ],
  ["a model is gone", "b", { ...BASE, models: BASE.models.slice(0, 1) }],
  ["a model is renamed", "b", edited(['{"name":"customers"', '{"name":"clients"'])],
  ["another table", "b", edited(['"table":"orders"', '"table":"orders_v2"'])],
  ["another schema", "b", edited(['"tableReference":{"schema":"public"', '"tableReference":{"schema":"private"'])],
  ["another filter of refSql", "b", edited(["FROM raw.customers", "FROM raw.customers WHERE active"])],
  ["a text in refSql", "b", edited(["SELECT id, name", "SELECT id, 'name  x' AS name"])],
  ["the primary key", "b", edited(['["id","line"]', '["id"]'])],
  ["no unique key", "b", edited(['"uniqueKeys":[["number","year"]],', ""])],
  ["the kind of a join", "b", edited(['"MANY_TO_ONE"', '"ONE_TO_ONE"'])],
  ["the condition of a join", "b", edited([CONDITION, text("orders.owner_id = customers.id")])],
  ["the sides of a join", "b", edited(['"models":["orders","customers"]', '"models":["customers","orders"]'])],
  ["a relationship is gone", "b", { ...BASE, relationships: [] }],
  ["a view's filter", "b", edited([VIEW, text("SELECT id, net FROM orders WHERE net > 10 AND open ORDER BY id")])],
  ["a view's order", "b", edited([VIEW, text("SELECT id, net FROM orders WHERE net > 100 AND open ORDER BY id DESC")])],
  ["a view's column", "b", edited([VIEW, text("SELECT id FROM orders WHERE net > 100 AND open ORDER BY id")])],
  [
    "columns of a view in another order",
    "b",
    edited([VIEW, text("SELECT net, id FROM orders WHERE net > 100 AND open ORDER BY id")]),
  ],
  ["a measure is renamed", "b", edited(['"name":"revenue"', '"name":"turnover"'])],
  ["a measure's aggregate", "b", edited(['"sum(net)"', '"avg(net)"'])],
  ["a measure's filter", "b", edited(['"sum(net)"', '"sum(net) FILTER (WHERE open)"'])],
  ["a dimension is gone", "b", edited(['{"name":"tenant","expression":"tenant","type":"VARCHAR"}', ""])],
  ["the base of a cube", "b", edited(['"baseObject":"orders"', '"baseObject":"big"'])],
  ["levels of a hierarchy", "b", edited(['["country","city"]', '["city","country"]'])],
  ["a view is added", "c", { ...BASE, views: [...BASE.views, { name: "v", statement: "SELECT 1 AS a" }] }],
  ["the name of the catalog", "b", edited(['"catalog":"shop"', '"catalog":"store"'])],
];

describe("changes are found and classed", () => {
  test("there are fifty", () => {
    expect(SEEDED.length).toBeGreaterThanOrEqual(50);
  });

  test.each(SEEDED)("%s: %s", (_, expected, after) => {
    expect(worst(changesBetween(BASE, after))).toBe(expected);
  });
});

test("a self-referencing relationship keeps the order of its operands", () => {
  const manifest = (condition: string): Json => ({
    catalog: "c",
    schema: "s",
    relationships: [{ name: "r", models: ["e", "e"], joinType: "MANY_TO_ONE", condition }],
  });
  const changes = changesBetween(manifest("e.boss = e.id"), manifest("e.id = e.boss"));
  expect(worst(changes)).toBe("b");
});
