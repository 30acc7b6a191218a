/** The rows of the shop in `access-world.ts`: four orders that the rules leave, and what marks the others. */
const ORDERS = `(id, customer_id, owner, area, amount, units, code, note, doc, pattern, day_text, day, big,
                 canary_owner_key, canary_secret, canary_salary)`;

const order = (
  id: number,
  owner: string,
  area: string,
  customer: number,
  day: string,
  hidden: boolean,
  copy = 0,
): string => {
  const texts = hidden
    ? [`CANARY-code${id}`, `CANARY-note${id}`, `CANARY{"a":${id}`, `(CANARY${id}\\`, `CANARY-day${id}`]
    : [`1${id}`, `note ${id}`, `{"a": ${id}}`, "o", `2024-01-0${id}`];
  const quoted = texts.map((text) => `'${text}'`).join(", ");
  const numbers = hidden ? `${777_000_000 + id}, 0` : `${id * 100}, ${id}`;
  const big = hidden ? "9223372036854775807" : id;
  return `(${copy * 100 + id}, ${customer}, ${owner}, ${area}, ${numbers}, ${quoted}, DATE '${day}', ${big},
    'KEYCANARY-${hidden ? id : "ann"}', 'CANARY-secret${id}', ${777_100_000 + id})`;
};

/** Hidden rows are repeated, so that files get dictionaries and statistics common values of theirs. */
const hiddenOrders = (copy: number): readonly string[] => [
  order(5, "'bob'", "'south'", 3, "2024-01-05", true, copy),
  order(6, "'bob'", "'south'", 3, "2024-01-06", true, copy),
  order(7, "NULL", "NULL", 4, "2024-01-07", true, copy),
  order(8, "'public'", "'west'", 4, "2031-01-08", true, copy),
];

const ROWS: Readonly<Record<string, { readonly columns: string; readonly values: readonly string[] }>> = {
  orders: {
    columns: ORDERS,
    values: [
      order(1, "'ann'", "'north'", 1, "2024-01-01", false),
      order(2, "'ann'", "'north'", 1, "2024-01-02", false),
      order(3, "'ann'", "'east'", 2, "2024-01-03", false),
      order(4, "'ann'", "'east'", 2, "2024-01-04", false),
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(hiddenOrders),
    ],
  },
  customers: {
    columns: "(id, name, owner, code, canary_ssn)",
    values: [
      "(1, 'One', 'ann', '1', 'CANARY-ssn1')",
      "(2, 'Two', 'ann', '2', 'CANARY-ssn2')",
      "(3, 'CANARY-name3', 'bob', 'CANARY', 'CANARY-ssn3')",
      "(4, 'CANARY-name4', NULL, 'CANARY', 'CANARY-ssn4')",
    ],
  },
  items: {
    columns: "(id, order_id, quantity, label)",
    values: [
      ...[1, 2, 3, 4].flatMap((id) => [`(${id}, ${id}, ${id}, 'x')`, `(${id + 10}, ${id}, 1, 'y')`]),
      ...[5, 6, 8].map((id) => `(${id}, ${id}, 0, 'z')`),
    ],
  },
  grants: {
    columns: "(user_name, granted_area)",
    values: ["('ann', 'north')", "('ann', 'east')", "('bob', 'south')", "('CANARY-user', 'west')"],
  },
};

const TYPES: Readonly<Record<string, string>> = {
  orders: `(id INTEGER, customer_id INTEGER, owner VARCHAR, area VARCHAR, amount INTEGER, units INTEGER, code VARCHAR,
    note VARCHAR, doc VARCHAR, pattern VARCHAR, day_text VARCHAR, day DATE, big BIGINT, canary_owner_key VARCHAR,
    canary_secret VARCHAR, canary_salary INTEGER)`,
  customers: "(id INTEGER, name VARCHAR, owner VARCHAR, code VARCHAR, canary_ssn VARCHAR)",
  items: "(id INTEGER, order_id INTEGER, quantity INTEGER, label VARCHAR)",
  grants: "(user_name VARCHAR, granted_area VARCHAR)",
};

/** The rows that pass the rules, written by hand. */
export const LEFT: Readonly<Record<string, string>> = {
  orders: "id <= 4",
  customers: "owner = 'ann'",
  items: "true",
  grants: "user_name = 'ann'",
};

export const statements = (): readonly string[] =>
  Object.entries(ROWS).flatMap(([table, { columns, values }]) => [
    `CREATE TABLE ${table} ${TYPES[table]}`,
    `INSERT INTO ${table} ${columns} VALUES ${values.join(", ")}`,
  ]);

/** The same for MySQL and MariaDB, in a mode in which texts are written as elsewhere. */
export const mysqlStatements = (): readonly string[] => [
  "SET sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
  ...statements().map((statement) => statement.replaceAll("VARCHAR", "VARCHAR(200)")),
];
