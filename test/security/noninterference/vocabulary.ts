/**
 * The parts of random statements: the relations of the shop, and expressions over them. Those that can raise never do
 * over a row that the rules leave, wherever and in whatever order they are computed: an error is a leak.
 */

export type Kind = "int" | "text" | "bool" | "date";
export const KINDS: readonly Kind[] = ["int", "text", "bool", "date"];

export interface Relation {
  readonly columns: Readonly<Partial<Record<Kind, readonly string[]>>>;
  /** A column whose value no two rows share. */
  readonly key?: string;
  /** Expressions over all that `orders` has are possible. */
  readonly isOrders?: boolean;
  /** The construct that a statement over it shows. */
  readonly construct?: string;
}

export const RELATIONS: Readonly<Record<string, Relation>> = {
  orders: {
    key: "id",
    isOrders: true,
    columns: {
      int: ["id", "customer_id", "amount", "units", "big"],
      text: ["owner", "area", "code", "note", "doc", "pattern", "day_text"],
      date: ["day"],
    },
  },
  star_view: {
    key: "id",
    isOrders: true,
    construct: "view",
    columns: { int: ["id", "amount", "units"], text: ["owner", "note", "code"], date: ["day"] },
  },
  customers: { key: "id", columns: { int: ["id"], text: ["name", "owner", "code"] } },
  items: { key: "id", columns: { int: ["id", "order_id", "quantity"], text: ["label"] } },
  grants: { columns: { text: ["user_name", "granted_area"] } },
  copies: {
    key: "id",
    construct: "model over a model",
    columns: { int: ["id", "cost", "each"], text: ["note", "code"] },
  },
  order_view: { key: "id", construct: "view", columns: { int: ["id", "amount", "units"], text: ["note", "code"] } },
  nested_view: { key: "id", construct: "view", columns: { int: ["id", "amount", "units"], text: ["note", "code"] } },
  total_view: { key: "owner", construct: "view", columns: { int: ["total"], text: ["owner"] } },
  secret_view: { construct: "view over a withheld column", columns: { int: ["id"] } },
  on_view: { key: "id", construct: "model over a view", columns: { int: ["id", "place"] } },
  by_owner: { key: "owner", construct: "metric", columns: { int: ["total"], text: ["owner", "most"] } },
  on_metric: { key: "owner", construct: "metric", columns: { int: ["total"], text: ["owner"] } },
};

/** Calculated columns and paths; `$` is the alias. */
export const COMPUTED: Readonly<Record<string, Readonly<Partial<Record<Kind, readonly string[]>>>>> = {
  orders: {
    int: ["$.double_amount", "$.per_unit", "$.open_items", "$.amount_rank", "$.customer.order_count", "$.customer.id"],
    text: ["$.customer_name", "$.customer.name", "$.customer.owner"],
  },
  customers: { int: ["$.order_count", "$.order_total"] },
  items: {
    int: ['$."order".id', '$."order".units', '$."order".per_unit'],
    text: ["$.order_note", "$.order_customer", '$."order".code'],
  },
};

/** The construct of each expression, so that a report can count it. */
export type Sample = readonly [construct: string, sql: string];

/** Over orders. */
export const RAISING: Readonly<Record<Kind, readonly Sample[]>> = {
  int: [
    ["cast", "CAST($.code AS INTEGER)"],
    ["cast", "CAST($.code AS BIGINT)"],
    ["cast", "CAST($.json ->> 'a' AS INTEGER)"],
    ["cast", "CAST(CAST($.code AS numeric(6,2)) AS INTEGER)"],
    ["arithmetic", "(100 / $.units)"],
    ["arithmetic", "(100 % $.units)"],
    ["arithmetic", "($.big + 1)"],
    ["arithmetic", "($.amount * 1000)"],
    ["arithmetic", "(-$.amount)"],
    ["arithmetic", "abs($.amount - 5)"],
    ["arithmetic", "CAST(sqrt($.units) AS INTEGER)"],
    ["arithmetic", "CAST(round($.amount / 7.0, 2) AS INTEGER)"],
    ["arithmetic", "CAST(ln($.units) AS INTEGER)"],
    ["arithmetic", "CAST(power($.units, 2) AS INTEGER)"],
    ["function of texts", "length($.note || $.code)"],
    ["function of texts", "length(substring($.note FROM 1 FOR $.units))"],
    ["function of texts", "position('o' IN $.note)"],
    ["function of texts", "strpos($.note, $.pattern)"],
    ["function of texts", "ascii($.note)"],
    ["dates", "($.day - DATE '2024-01-01')"],
    ["dates", "CAST(extract(hour FROM $.day) AS INTEGER)"],
    ["dates", "CAST(extract(minute FROM $.day) AS INTEGER)"],
    ["dates", "CAST(extract(dow FROM $.day) AS INTEGER)"],
    ["dates", "date_diff('day', $.day, DATE '2024-02-01')::integer"],
    ["dates", "CAST(extract(month FROM CAST($.day_text AS DATE)) AS INTEGER)"],
    ["scalar subquery", "(SELECT 100 / $.units)"],
    ["scalar subquery", "(SELECT max(x) FROM generate_series(1, $.units) AS g(x))"],
  ],
  text: [
    ["concatenation", "($.note || $.code)"],
    ["concatenation", "concat($.note, '-', $.units)"],
    ["function of texts", "left($.note, $.units)"],
    ["function of texts", "substring($.note FROM $.units FOR 2)"],
    ["function of texts", "lpad($.code, $.units + 3, '0')"],
    ["function of texts", "repeat('x', $.units)"],
    ["function of texts", "replace($.note, $.pattern, 'u')"],
    ["function of texts", "split_part($.note, ' ', $.units)"],
    ["function of texts", "chr(64 + $.units)"],
    ["JSON", "($.json ->> 'a')"],
    ["JSON", "(CAST($.doc AS json) ->> 'a')"],
    ["format", "to_char($.day, 'YYYY-MM-DD')"],
    ["format", "to_char($.day, 'Mon YYYY')"],
    ["cast", "CAST($.day AS text)"],
    ["cast", "CAST($.big AS text)"],
    ["regular expression", "regexp_replace($.note, $.pattern, 'u')"],
    ["regular expression", "regexp_replace($.note, '[0-9]+', 'n')"],
  ],
  bool: [
    ["LIKE, computed", "($.note LIKE concat('%', $.pattern, '%'))"],
    ["LIKE, computed", "($.note LIKE '%' || $.pattern || '%')"],
    ["LIKE, computed", "($.note ILIKE concat('%ANARY%', chr(92)))"],
    ["LIKE, computed", "($.note LIKE concat('%ther%', chr(92)))"],
    ["LIKE, computed", "(CASE WHEN true THEN $.note END LIKE concat('%ANARY%', chr(92)))"],
    ["LIKE, computed", "(coalesce($.note, $.code) NOT LIKE concat('%ANARY%', chr(92)))"],
    ["LIKE, computed", "($.code LIKE (VALUES ('%ANARY%' || chr(92))))"],
    ["LIKE, computed", "($.note LIKE (SELECT concat('%ANARY%', chr(92))))"],
    ["LIKE, computed", "(CASE 1 WHEN 1 THEN $.note ELSE $.code END ILIKE concat('canary-note5', chr(92)))"],
    ["LIKE, computed", "(nullif($.note, 'x') LIKE concat('%other%', chr(92)))"],
    ["LIKE, computed", "($.note SIMILAR TO '%' || $.pattern || '%')"],
    ["LIKE, computed", "($.note LIKE ANY (ARRAY[concat('%ANARY%', chr(92))]))"],
    ["regular expression", "($.note ~ $.pattern)"],
    ["regular expression", "($.note ~* '^NOTE')"],
    ["regular expression", "($.note ~ concat('(', $.pattern, ')'))"],
    ["cast", "(CAST($.code AS INTEGER) > 11)"],
    ["cast", "(CAST($.day_text AS DATE) > DATE '2024-01-02')"],
    ["cast", "(CAST($.doc AS json) IS NOT NULL)"],
    ["JSON", "(($.json ->> 'a') = '1')"],
    ["arithmetic", "($.amount / $.units > 50)"],
    ["scalar subquery", "((SELECT $.amount / $.units) > 50)"],
  ],
  date: [
    ["cast", "CAST($.day_text AS DATE)"],
    ["dates", "($.day + $.units)"],
    ["dates", "CAST(date_trunc('month', $.day) AS DATE)"],
    ["format", "to_date($.day_text, 'YYYY-MM-DD')"],
  ],
};

/** Over any relation of the kinds they ask for: `$text` is a column of texts. */
export const HARMLESS: Readonly<Record<Kind, readonly Sample[]>> = {
  int: [
    ["harmless function", "length($text)"],
    ["harmless function", "strpos($text, 'o')"],
    ["harmless function", "coalesce($int, 7)"],
    ["harmless function", "nullif($int, 2)"],
    ["harmless function", "greatest($int, 3)"],
    ["harmless function", "CAST(extract(year FROM $date) AS INTEGER)"],
    ["harmless function", "CAST(extract(day FROM $date) AS INTEGER)"],
    ["CASE", "CASE WHEN $bool THEN $int ELSE $int END"],
  ],
  text: [
    ["harmless function", "upper($text)"],
    ["harmless function", "lower($text)"],
    ["harmless function", "reverse($text)"],
    ["harmless function", "btrim($text)"],
    ["harmless function", "coalesce($text, 'none')"],
    ["CASE", "CASE WHEN $bool THEN $text ELSE 'other' END"],
    ["CASE", "CASE $int WHEN 1 THEN $text WHEN 2 THEN $text END"],
  ],
  bool: [
    ["comparison", "($int > 2)"],
    ["comparison", "($int BETWEEN 1 AND 3)"],
    ["comparison", "($int = $int)"],
    ["comparison", "($int IN (1, 2, 5, 77))"],
    ["comparison", "($text = 'note 1')"],
    ["comparison", "($text < 'o')"],
    ["comparison", "($text IS DISTINCT FROM $text)"],
    ["comparison", "($date >= DATE '2024-01-02')"],
    ["comparison", "($text IS NOT NULL)"],
    ["LIKE", "($text LIKE 'note%')"],
    ["LIKE", "($text LIKE '%CANARY%')"],
    ["LIKE", "($text ILIKE '%a_e%')"],
    ["LIKE", "($text NOT LIKE 'a\\_%' ESCAPE '\\')"],
    ["logic", "($bool AND $bool)"],
    ["logic", "($bool OR $bool)"],
    ["logic", "(NOT $bool)"],
    ["logic", "($bool IS NOT TRUE)"],
    ["IN (subquery)", "($int IN (SELECT s.id FROM customers s WHERE s.owner = 'ann'))"],
    ["IN (subquery)", "($int NOT IN (SELECT s.order_id FROM items s WHERE s.label = 'z'))"],
    ["IN (subquery)", "($text IN (SELECT s.granted_area FROM grants s))"],
    ["EXISTS", "EXISTS (SELECT 1 FROM orders s WHERE s.id = $int)"],
    ["EXISTS", "(NOT EXISTS (SELECT 1 FROM orders s WHERE s.customer_id = $int AND s.note LIKE '%CANARY%'))"],
    ["scalar subquery", "((SELECT count(*) FROM orders s WHERE s.amount > $int) > 1)"],
  ],
  date: [
    ["harmless function", "coalesce($date, DATE '2024-01-01')"],
    ["harmless function", "least($date, DATE '2024-01-03')"],
  ],
};

/** They fail over every visible row, and stand alone. */
export const OWN_ERRORS: readonly string[] = [
  "SELECT CAST(note AS INTEGER) AS x FROM orders",
  "SELECT 1 / (id - id) AS x FROM orders",
  "SELECT CAST(note AS DATE) AS x FROM orders",
  "SELECT sqrt(-amount) AS x FROM orders",
  "SELECT CAST(amount * 100000 AS INTEGER) * 100000 AS x FROM orders",
  "SELECT sum(CAST(note AS INTEGER)) AS x FROM orders",
  "SELECT id FROM orders WHERE note ~ concat('(', code)",
];

/** Expressions that once passed the fence, because the planner took them for harmless. */
export const PROBES: readonly string[] = [
  "SELECT id FROM orders WHERE CASE WHEN true THEN note END LIKE concat('%ANARY%', chr(92))",
  "SELECT id FROM orders WHERE CASE 1 WHEN 1 THEN note END NOT LIKE concat('%ANARY%', chr(92))",
  "SELECT o.id FROM orders o JOIN (VALUES ('%ANARY%' || chr(92))) v(p) ON coalesce(o.note, o.note) ILIKE v.p",
  "SELECT id FROM order_view WHERE CASE WHEN true THEN note END LIKE concat('%ANARY%', chr(92))",
  "SELECT id FROM items WHERE CASE WHEN true THEN order_note END LIKE concat('%ANARY%', chr(92))",
  "SELECT id FROM orders WHERE extract(hour FROM day) = 0 AND note LIKE 'CANARY%'",
  "SELECT id FROM orders WHERE extract(minute FROM day) = 0 AND amount > 700000000",
  "SELECT id FROM orders WHERE amount > 700000000 AND extract(hour FROM day) = 0",
  "SELECT i.id FROM items i JOIN orders o ON extract(hour FROM o.day) = i.id AND o.note LIKE 'CANARY%'",
];

/** Statements that a rule or the planner refuses, with the whole message. */
export const REFUSED: readonly string[] = [
  "SELECT secret FROM orders",
  "SELECT id FROM orders WHERE salary > 5",
  "SELECT buyer.name FROM orders",
  "SELECT owner_key FROM orders",
  "SELECT canary_secret FROM orders",
  "SELECT * FROM rich",
  "SELECT * FROM by_salary",
  "SELECT secre FROM orders",
  "SELECT ssn FROM customers",
  "SELECT far FROM orders",
  "SELECT id FROM orders ORDER BY salary",
  "SELECT paid FROM by_owner",
  "SELECT order_cube.key, order_cube.number FROM order_cube",
  "SELECT note LIKE 'x\\' AS q FROM orders",
  "SELECT mystery(note) AS q FROM orders",
];

/** Structured queries. */
export const CUBES: readonly object[] = [
  { cube: "order_cube", measures: ["total", "number"], dimensions: ["who"] },
  { cube: "order_cube", measures: ["most"], timeDimensions: [{ dimension: "day", granularity: "month" }] },
  { cube: "order_cube", measures: ["per_unit"], dimensions: ["who"], orderBy: [{ member: "who", direction: "asc" }] },
  { cube: "order_cube", measures: ["number"], filters: [{ dimension: "who", operator: "eq", value: "bob" }] },
  { cube: "order_cube", measures: ["number"], filters: [{ dimension: "who", operator: "contains", value: "CANARY" }] },
  { cube: "order_cube", measures: ["paid"], dimensions: ["who"] },
  { cube: "order_cube", measures: ["number"], dimensions: ["key"] },
  { cube: "order_cube", measures: ["number"], dimensions: ["buyer"] },
  {
    cube: "order_cube",
    dimensions: ["who"],
    timeDimensions: [{ dimension: "day", granularity: "day" }],
    measures: ["total"],
  },
];

export const CUBE_SQL: readonly string[] = [
  "SELECT who, total FROM order_cube",
  "SELECT who, number, per_unit FROM order_cube WHERE day > DATE '2024-01-01'",
  "SELECT most FROM order_cube",
  "SELECT who, total FROM order_cube WHERE total > 100",
  "SELECT upper(who) AS w, number FROM order_cube GROUP BY who",
  "SELECT * FROM order_cube",
  "SELECT o.who, c.name FROM order_cube o JOIN customers c ON c.owner = o.who",
];
