/**
 * Schemas with the shapes of well-known sample databases, written for these tests, with generated rows. Each is created on every
 * engine from one description.
 */

export type ColumnType = "int" | "text" | "amount" | "date" | "flag";

export interface TableSpec {
  readonly name: string;
  readonly comment?: string;
  /** `name type`, with `!` for NOT NULL; or an object with a comment. */
  readonly columns: readonly (readonly [name: string, type: ColumnType, options?: ColumnOptions])[];
  readonly key: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly references?: readonly (readonly [
    columns: readonly string[],
    table: string,
    parentColumns: readonly string[],
  ])[];
  readonly rows: number;
}

interface ColumnOptions {
  readonly notNull?: true;
  readonly comment?: string;
  /** The value of a row, counted from 0; by default its number, or a text with it. */
  readonly value?: (row: number) => string | number | null;
}

export interface SchemaSpec {
  readonly name: string;
  readonly tables: readonly TableSpec[];
  /** A view, as a SELECT that all engines read. */
  readonly view?: readonly [name: string, sql: string];
  /** Relationships: models, join type, condition. Empty on engines without keys. */
  readonly relationships: readonly (readonly [name: string, models: string, joinType: string, condition: string])[];
  /** A question over the model that `init` wrote, and its rows. */
  readonly question: { readonly sql: string; readonly rows: readonly (readonly (string | number)[])[] };
}

const parent = (most: number) => ({ value: (row: number): number => 1 + (row % most) });

/** Film rental: two keys to one table, a composite key of an association. */
const PAGILA: SchemaSpec = {
  name: "pagila",
  tables: [
    {
      name: "language",
      columns: [
        ["language_id", "int"],
        ["name", "text", { notNull: true }],
      ],
      key: ["language_id"],
      unique: [["name"]],
      rows: 3,
    },
    {
      name: "actor",
      columns: [
        ["actor_id", "int"],
        ["first_name", "text"],
      ],
      key: ["actor_id"],
      rows: 5,
    },
    {
      name: "film",
      comment: "One row per title.",
      columns: [
        ["film_id", "int"],
        ["title", "text", { notNull: true, comment: "As on the poster." }],
        ["language_id", "int", { notNull: true, ...parent(3) }],
        ["original_language_id", "int", { value: (row) => (row % 2 === 0 ? null : 1) }],
        ["rental_rate", "amount", { value: () => "2.50" }],
      ],
      key: ["film_id"],
      references: [
        [["language_id"], "language", ["language_id"]],
        [["original_language_id"], "language", ["language_id"]],
      ],
      rows: 10,
    },
    {
      name: "film_actor",
      columns: [
        ["actor_id", "int", parent(5)],
        ["film_id", "int", { value: (row) => 1 + (row % 10) }],
      ],
      key: ["actor_id", "film_id"],
      references: [
        [["actor_id"], "actor", ["actor_id"]],
        [["film_id"], "film", ["film_id"]],
      ],
      rows: 10,
    },
  ],
  view: ["film_list", "SELECT film_id, title FROM film"],
  relationships: [
    ["film_language", "film → language", "MANY_TO_ONE", "film.language_id = language.language_id"],
    ["film_original_language", "film → language", "MANY_TO_ONE", "film.original_language_id = language.language_id"],
    ["film_actor_actor", "film_actor → actor", "MANY_TO_ONE", "film_actor.actor_id = actor.actor_id"],
    ["film_actor_film", "film_actor → film", "MANY_TO_ONE", "film_actor.film_id = film.film_id"],
  ],
  question: {
    sql: "SELECT l.name, count(*) AS films FROM film f JOIN language l ON l.language_id = f.language_id GROUP BY l.name ORDER BY l.name",
    rows: [
      ["name 1", 4],
      ["name 2", 3],
      ["name 3", 3],
    ],
  },
};

/** Music shop: names in camel case, and an employee who reports to another. */
const CHINOOK: SchemaSpec = {
  name: "chinook",
  tables: [
    {
      name: "Artist",
      columns: [
        ["ArtistId", "int"],
        ["Name", "text"],
      ],
      key: ["ArtistId"],
      rows: 4,
    },
    {
      name: "Album",
      columns: [
        ["AlbumId", "int"],
        ["Title", "text", { notNull: true }],
        ["ArtistId", "int", { notNull: true, ...parent(4) }],
      ],
      key: ["AlbumId"],
      references: [[["ArtistId"], "Artist", ["ArtistId"]]],
      rows: 8,
    },
    {
      name: "Employee",
      columns: [
        ["EmployeeId", "int"],
        ["LastName", "text"],
        ["ReportsTo", "int", { value: (row) => (row === 0 ? null : 1) }],
      ],
      key: ["EmployeeId"],
      references: [[["ReportsTo"], "Employee", ["EmployeeId"]]],
      rows: 3,
    },
  ],
  relationships: [
    ["album_artist", "album → artist", "MANY_TO_ONE", "album.artist_id = artist.artist_id"],
    ["employee_reports_to", "employee → employee", "MANY_TO_ONE", "employee.reports_to = employee.employee_id"],
  ],
  question: {
    sql: "SELECT artist_id, count(*) AS n FROM album GROUP BY artist_id ORDER BY artist_id",
    rows: [
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
    ],
  },
};

/** Trade: an order's details with a composite key, names with blanks. */
const NORTHWIND: SchemaSpec = {
  name: "northwind",
  tables: [
    {
      name: "Customers",
      columns: [
        ["Customer ID", "int"],
        ["Company Name", "text", { notNull: true }],
      ],
      key: ["Customer ID"],
      rows: 3,
    },
    {
      name: "Orders",
      columns: [
        ["Order ID", "int"],
        ["Customer ID", "int", parent(3)],
        ["Order Date", "date", { value: (row) => `2024-01-0${1 + row}` }],
      ],
      key: ["Order ID"],
      references: [[["Customer ID"], "Customers", ["Customer ID"]]],
      rows: 6,
    },
    {
      name: "Order Details",
      columns: [
        ["Order ID", "int", parent(6)],
        ["Line", "int", { value: () => 1 }],
        ["Unit Price", "amount", { notNull: true, value: () => "1.50" }],
      ],
      key: ["Order ID", "Line"],
      references: [[["Order ID"], "Orders", ["Order ID"]]],
      rows: 6,
    },
  ],
  relationships: [
    ["order_details_orders", "order_details → orders", "MANY_TO_ONE", "order_details.order_id = orders.order_id"],
    ["orders_customers", "orders → customers", "MANY_TO_ONE", "orders.customer_id = customers.customer_id"],
  ],
  question: {
    sql: "SELECT c.company_name, sum(d.unit_price) AS s FROM order_details d JOIN orders o ON o.order_id = d.order_id JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1 ORDER BY 1",
    rows: [
      ["Company Name 1", 3],
      ["Company Name 2", 3],
      ["Company Name 3", 3],
    ],
  },
};

/** Manufacturing: a table that shares its key with another, a unique key of a reference, a composite reference. */
const ADVENTURE_WORKS: SchemaSpec = {
  name: "adventure_works",
  tables: [
    { name: "BusinessEntity", columns: [["BusinessEntityID", "int"]], key: ["BusinessEntityID"], rows: 4 },
    {
      name: "Person",
      columns: [
        ["BusinessEntityID", "int"],
        ["LastName", "text", { notNull: true }],
      ],
      key: ["BusinessEntityID"],
      references: [[["BusinessEntityID"], "BusinessEntity", ["BusinessEntityID"]]],
      rows: 4,
    },
    {
      name: "Store",
      columns: [
        ["StoreID", "int"],
        ["OwnerID", "int"],
      ],
      key: ["StoreID"],
      unique: [["OwnerID"]],
      references: [[["OwnerID"], "Person", ["BusinessEntityID"]]],
      rows: 3,
    },
    {
      name: "ProductPrice",
      columns: [
        ["ProductID", "int"],
        ["Year", "int", { value: () => 2024 }],
        ["Price", "amount", { value: (row) => `${row + 1}.00` }],
      ],
      key: ["ProductID", "Year"],
      rows: 3,
    },
    {
      name: "SalesLine",
      columns: [
        ["SalesLineID", "int"],
        ["ProductID", "int", parent(3)],
        ["Year", "int", { value: () => 2024 }],
      ],
      key: ["SalesLineID"],
      references: [[["ProductID", "Year"], "ProductPrice", ["ProductID", "Year"]]],
      rows: 6,
    },
  ],
  relationships: [
    [
      "person_business_entity",
      "person → business_entity",
      "ONE_TO_ONE",
      "person.business_entity_id = business_entity.business_entity_id",
    ],
    [
      "sales_line_product_price",
      "sales_line → product_price",
      "MANY_TO_ONE",
      "sales_line.product_id = product_price.product_id AND sales_line.year = product_price.year",
    ],
    ["store_person", "store → person", "ONE_TO_ONE", "store.owner_id = person.business_entity_id"],
  ],
  question: {
    sql: "SELECT sum(p.price) AS total FROM sales_line s JOIN product_price p ON p.product_id = s.product_id AND p.year = s.year",
    rows: [[12]],
  },
};

export const SCHEMAS: readonly SchemaSpec[] = [PAGILA, CHINOOK, NORTHWIND, ADVENTURE_WORKS];

export interface Ddl {
  readonly quote: (name: string) => string;
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly hasKeys: boolean;
  /** Behind the columns, such as an engine of tables. */
  readonly tail?: (table: TableSpec) => string;
  readonly comments: "statements" | "inline" | "none";
  /** A type without NULL where NOT NULL is none. */
  readonly nullable?: (type: string) => string;
}

/** Statements that create a schema and fill it, one at a time. */
export function statementsOf({ tables, view }: SchemaSpec, ddl: Ddl): readonly string[] {
  const { quote } = ddl;
  const list = (names: readonly string[]): string => names.map(quote).join(", ");
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const created = tables.map((table) => {
    const columns = table.columns.map(([name, type, { notNull, comment } = {}]) => {
      const isRequired = notNull === true || table.key.includes(name);
      const own = isRequired || ddl.nullable === undefined ? ddl.types[type] : ddl.nullable(ddl.types[type]);
      const required = isRequired && ddl.nullable === undefined ? " NOT NULL" : "";
      return `${quote(name)} ${own}${required}${comment !== undefined && ddl.comments === "inline" ? ` COMMENT ${text(comment)}` : ""}`;
    });
    const keys = ddl.hasKeys
      ? [
          `PRIMARY KEY (${list(table.key)})`,
          ...(table.unique ?? []).map((names) => `UNIQUE (${list(names)})`),
          ...(table.references ?? []).map(
            ([names, other, others]) => `FOREIGN KEY (${list(names)}) REFERENCES ${quote(other)} (${list(others)})`,
          ),
        ]
      : [];
    const comment = ddl.comments === "inline" && table.comment !== undefined ? ` COMMENT ${text(table.comment)}` : "";
    return `CREATE TABLE ${quote(table.name)} (${[...columns, ...keys].join(", ")})${ddl.tail?.(table) ?? ""}${comment}`;
  });
  const comments =
    ddl.comments === "statements"
      ? tables.flatMap((table) => [
          ...(table.comment === undefined ? [] : [`COMMENT ON TABLE ${quote(table.name)} IS ${text(table.comment)}`]),
          ...table.columns.flatMap(([name, , options]) =>
            options?.comment === undefined
              ? []
              : [`COMMENT ON COLUMN ${quote(table.name)}.${quote(name)} IS ${text(options.comment)}`],
          ),
        ])
      : [];
  const filled = tables.flatMap((table) => {
    const rows = Array.from({ length: table.rows }, (_, row) => {
      const values = table.columns.map(([name, type, options]) => {
        const value =
          options?.value === undefined ? (type === "text" ? `${name} ${row + 1}` : row + 1) : options.value(row);
        if (value === null) return "NULL";
        if (type === "date") return `DATE '${value}'`;
        return typeof value === "string" && type === "text" ? text(value) : String(value);
      });
      return `(${values.join(", ")})`;
    });
    // A row that refers to another of its table comes after that row.
    const isOfItself = (table.references ?? []).some(([, other]) => other === table.name);
    const groups = isOfItself ? rows : [rows.join(", ")];
    return groups.map((group) => `INSERT INTO ${quote(table.name)} VALUES ${group}`);
  });
  const views = view === undefined ? [] : [`CREATE VIEW ${quote(view[0])} AS ${view[1]}`];
  return [...created, ...comments, ...filled, ...views];
}
