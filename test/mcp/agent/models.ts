/** Three models with rows and twenty questions each, by right statements. Every row of the one side has rows of the many side. */

export interface AgentModel {
  readonly name: string;
  readonly manifest: object;
  /** Statements that make the tables in PostgreSQL. */
  readonly tables: readonly string[];
  readonly queries: readonly string[];
}

interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  /** The many side's column that leads to the one side, with the name of the path. */
  readonly to?: { readonly table: string; readonly by: string; readonly path: string };
  readonly rows: string;
}

function modelOf(name: string, tables: readonly Table[], queries: readonly string[]): AgentModel {
  const related = tables.flatMap(({ name: from, to }) => (to === undefined ? [] : [{ from, ...to }]));
  return {
    name,
    manifest: {
      catalog: "c",
      schema: "s",
      models: tables.map(({ name: table, columns, to }) => ({
        name: table,
        tableReference: { schema: name, table },
        primaryKey: "id",
        columns: [
          ...Object.entries(columns).map(([column, type]) => ({
            name: column,
            type,
            properties: { searchable: true },
          })),
          ...(to === undefined ? [] : [{ name: to.path, type: to.table, relationship: `${table}_${to.table}` }]),
        ],
      })),
      relationships: related.map(({ from, table, by }) => ({
        name: `${from}_${table}`,
        models: [from, table],
        joinType: "MANY_TO_ONE",
        condition: `${from}.${by} = ${table}.id`,
      })),
    },
    tables: [
      `CREATE SCHEMA ${name}`,
      ...tables.map(({ name: table, rows }) => `CREATE TABLE ${name}.${table} AS ${rows}`),
    ],
    queries,
  };
}

const pick = (words: readonly string[]): string => `(ARRAY[${words.map((word) => `'${word}'`).join(", ")}])`;

export const MODELS: readonly AgentModel[] = [
  modelOf(
    "shop",
    [
      {
        name: "customers",
        columns: { id: "INTEGER", name: "VARCHAR", city: "VARCHAR", segment: "VARCHAR" },
        rows: `SELECT n AS id, 'Customer ' || n AS name, ${pick(["Berlin", "Oslo", "Porto"])}[1 + n % 3] AS city, ${pick(["Retail", "Trade"])}[1 + n % 2] AS segment FROM generate_series(1, 40) AS n`,
      },
      {
        name: "orders",
        columns: { id: "INTEGER", customer_id: "INTEGER", status: "VARCHAR", total: "INTEGER", placed_on: "DATE" },
        to: { table: "customers", by: "customer_id", path: "customer" },
        rows: `SELECT n AS id, 1 + n % 40 AS customer_id, ${pick(["Open", "Shipped", "Returned"])}[1 + n % 3] AS status, (n * 37) % 500 AS total, DATE '2024-01-01' + n % 300 AS placed_on FROM generate_series(1, 400) AS n`,
      },
      {
        name: "lines",
        columns: { id: "INTEGER", order_id: "INTEGER", product: "VARCHAR", quantity: "INTEGER" },
        to: { table: "orders", by: "order_id", path: "order_of" },
        rows: `SELECT n AS id, 1 + n % 400 AS order_id, ${pick(["Lamp", "Chair", "Table", "Shelf"])}[1 + n % 4] AS product, 1 + n % 7 AS quantity FROM generate_series(1, 1600) AS n`,
      },
    ],
    [
      "SELECT o.status, sum(o.total) AS revenue FROM orders o GROUP BY o.status ORDER BY 1",
      "SELECT c.city, sum(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.city ORDER BY 1",
      "SELECT count(*) AS n FROM orders o WHERE o.status = 'Open'",
      "SELECT c.segment, count(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status = 'Shipped' GROUP BY c.segment ORDER BY 1",
      "SELECT sum(o.total) AS revenue FROM orders o",
      "SELECT l.product, sum(l.quantity) AS pieces FROM lines l GROUP BY l.product ORDER BY 1",
      "SELECT count(*) AS n FROM lines l WHERE l.product = 'Lamp'",
      "SELECT extract(year FROM o.placed_on) AS y, sum(o.total) AS revenue FROM orders o GROUP BY 1 ORDER BY 1",
      "SELECT upper(c.city) AS city, count(*) AS n FROM customers c GROUP BY 1 ORDER BY 1",
      "SELECT o.id, o.total FROM orders o ORDER BY o.total DESC, o.id LIMIT 5",
      "SELECT coalesce(o.status, 'none') AS status, count(*) AS n FROM orders o GROUP BY 1 ORDER BY 1",
      "SELECT c.name, c.city FROM customers c WHERE c.segment = 'Trade' ORDER BY c.name LIMIT 7",
      "SELECT o.status, max(o.total) AS most FROM orders o WHERE o.total > 100 GROUP BY o.status ORDER BY 1",
      "SELECT c.city, c.segment, count(*) AS n FROM customers c GROUP BY c.city, c.segment ORDER BY 1, 2",
      "SELECT avg(o.total) AS mean FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.city = 'Oslo'",
      "SELECT length(c.name) AS letters, count(*) AS n FROM customers c GROUP BY 1 ORDER BY 1",
      "SELECT sum(o.total) AS revenue FROM orders o WHERE o.status = 'Returned'",
      "SELECT o.status, count(*) AS n FROM orders o GROUP BY o.status ORDER BY 2 DESC, 1 LIMIT 2",
      "SELECT o.placed_on, sum(o.total) AS revenue FROM orders o GROUP BY o.placed_on ORDER BY 1 LIMIT 10",
      "SELECT c.name, sum(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name ORDER BY 2 DESC, 1 LIMIT 3",
    ],
  ),
  modelOf(
    "school",
    [
      {
        name: "teachers",
        columns: { id: "INTEGER", surname: "VARCHAR", subject: "VARCHAR" },
        rows: `SELECT n AS id, 'Teacher ' || n AS surname, ${pick(["Maths", "Music", "History"])}[1 + n % 3] AS subject FROM generate_series(1, 12) AS n`,
      },
      {
        name: "courses",
        columns: { id: "INTEGER", teacher_id: "INTEGER", title: "VARCHAR", level: "VARCHAR", seats: "INTEGER" },
        to: { table: "teachers", by: "teacher_id", path: "teacher" },
        rows: `SELECT n AS id, 1 + n % 12 AS teacher_id, 'Course ' || n AS title, ${pick(["Basic", "Advanced"])}[1 + n % 2] AS level, 10 + n % 15 AS seats FROM generate_series(1, 60) AS n`,
      },
      {
        name: "grades",
        columns: { id: "INTEGER", course_id: "INTEGER", pupil: "VARCHAR", points: "INTEGER", term: "VARCHAR" },
        to: { table: "courses", by: "course_id", path: "course" },
        rows: `SELECT n AS id, 1 + n % 60 AS course_id, 'Pupil ' || n % 90 AS pupil, (n * 7) % 16 AS points, ${pick(["Spring", "Autumn"])}[1 + n % 2] AS term FROM generate_series(1, 900) AS n`,
      },
    ],
    [
      "SELECT g.term, avg(g.points) AS mean FROM grades g GROUP BY g.term ORDER BY 1",
      "SELECT c.level, avg(g.points) AS mean FROM grades g JOIN courses c ON c.id = g.course_id GROUP BY c.level ORDER BY 1",
      "SELECT count(*) AS n FROM courses c WHERE c.level = 'Advanced'",
      "SELECT t.subject, sum(c.seats) AS seats FROM courses c JOIN teachers t ON t.id = c.teacher_id GROUP BY t.subject ORDER BY 1",
      "SELECT sum(c.seats) AS seats FROM courses c",
      "SELECT t.surname, t.subject FROM teachers t WHERE t.subject = 'Music' ORDER BY t.surname",
      "SELECT g.pupil, max(g.points) AS best FROM grades g GROUP BY g.pupil ORDER BY 2 DESC, 1 LIMIT 5",
      "SELECT count(*) AS n FROM grades g WHERE g.term = 'Spring'",
      "SELECT c.title, c.seats FROM courses c ORDER BY c.seats DESC, c.title LIMIT 4",
      "SELECT upper(t.subject) AS subject, count(*) AS n FROM teachers t GROUP BY 1 ORDER BY 1",
      "SELECT coalesce(g.pupil, 'nobody') AS pupil, sum(g.points) AS points FROM grades g GROUP BY 1 ORDER BY 1 LIMIT 6",
      "SELECT length(t.surname) AS letters, count(*) AS n FROM teachers t GROUP BY 1 ORDER BY 1",
      "SELECT sum(c.seats) AS seats FROM courses c WHERE c.level = 'Basic'",
      "SELECT g.term, g.pupil, sum(g.points) AS points FROM grades g GROUP BY g.term, g.pupil ORDER BY 1, 2 LIMIT 8",
      "SELECT c.level, count(*) AS n FROM courses c GROUP BY c.level ORDER BY 1",
      "SELECT t.surname, count(*) AS n FROM courses c JOIN teachers t ON t.id = c.teacher_id WHERE c.level = 'Basic' GROUP BY t.surname ORDER BY 1",
      "SELECT max(g.points) AS best FROM grades g WHERE g.points < 12",
      "SELECT c.title FROM courses c WHERE c.level = 'Advanced' ORDER BY c.title LIMIT 5",
      "SELECT c.level, sum(c.seats) AS seats FROM courses c WHERE c.seats > 12 GROUP BY c.level ORDER BY 1",
      "SELECT t.subject, avg(c.seats) AS mean FROM courses c JOIN teachers t ON t.id = c.teacher_id GROUP BY t.subject ORDER BY 1",
    ],
  ),
  modelOf(
    "web",
    [
      {
        name: "members",
        columns: { id: "INTEGER", country: "VARCHAR", plan: "VARCHAR" },
        rows: `SELECT n AS id, ${pick(["Norway", "Spain", "Japan"])}[1 + n % 3] AS country, ${pick(["Free", "Paid"])}[1 + n % 2] AS plan FROM generate_series(1, 50) AS n`,
      },
      {
        name: "visits",
        columns: { id: "INTEGER", member_id: "INTEGER", device: "VARCHAR", seconds: "INTEGER", began_on: "DATE" },
        to: { table: "members", by: "member_id", path: "visitor" },
        rows: `SELECT n AS id, 1 + n % 50 AS member_id, ${pick(["Phone", "Laptop", "Tablet"])}[1 + n % 3] AS device, (n * 13) % 900 AS seconds, DATE '2023-06-01' + n % 400 AS began_on FROM generate_series(1, 700) AS n`,
      },
      {
        name: "clicks",
        columns: { id: "INTEGER", visit_id: "INTEGER", target: "VARCHAR", weight: "INTEGER" },
        to: { table: "visits", by: "visit_id", path: "visit" },
        rows: `SELECT n AS id, 1 + n % 700 AS visit_id, ${pick(["Menu", "Search", "Buy"])}[1 + n % 3] AS target, n % 5 AS weight FROM generate_series(1, 2800) AS n`,
      },
    ],
    [
      "SELECT v.device, sum(v.seconds) AS seconds FROM visits v GROUP BY v.device ORDER BY 1",
      "SELECT m.country, sum(v.seconds) AS seconds FROM visits v JOIN members m ON m.id = v.member_id GROUP BY m.country ORDER BY 1",
      "SELECT count(*) AS n FROM visits v WHERE v.device = 'Phone'",
      "SELECT m.plan, count(*) AS n FROM visits v JOIN members m ON m.id = v.member_id WHERE v.device = 'Tablet' GROUP BY m.plan ORDER BY 1",
      "SELECT sum(v.seconds) AS seconds FROM visits v",
      "SELECT k.target, count(*) AS n FROM clicks k GROUP BY k.target ORDER BY 1",
      "SELECT count(*) AS n FROM clicks k WHERE k.target = 'Buy'",
      "SELECT extract(year FROM v.began_on) AS y, count(*) AS n FROM visits v GROUP BY 1 ORDER BY 1",
      "SELECT upper(m.country) AS country, count(*) AS n FROM members m GROUP BY 1 ORDER BY 1",
      "SELECT v.id, v.seconds FROM visits v ORDER BY v.seconds DESC, v.id LIMIT 5",
      "SELECT coalesce(m.plan, 'none') AS plan, count(*) AS n FROM members m GROUP BY 1 ORDER BY 1",
      "SELECT m.country, m.plan, count(*) AS n FROM members m GROUP BY m.country, m.plan ORDER BY 1, 2",
      "SELECT v.device, max(v.seconds) AS longest FROM visits v WHERE v.seconds > 60 GROUP BY v.device ORDER BY 1",
      "SELECT avg(v.seconds) AS mean FROM visits v JOIN members m ON m.id = v.member_id WHERE m.country = 'Japan'",
      "SELECT length(v.device) AS letters, count(*) AS n FROM visits v GROUP BY 1 ORDER BY 1",
      "SELECT sum(v.seconds) AS seconds FROM visits v WHERE v.device = 'Laptop'",
      "SELECT v.began_on, sum(v.seconds) AS seconds FROM visits v GROUP BY v.began_on ORDER BY 1 LIMIT 9",
      "SELECT m.id, m.country FROM members m WHERE m.plan = 'Paid' ORDER BY m.id LIMIT 6",
      "SELECT v.device, count(*) AS n FROM visits v GROUP BY v.device ORDER BY 2 DESC, 1 LIMIT 2",
      "SELECT m.country, avg(v.seconds) AS mean FROM visits v JOIN members m ON m.id = v.member_id GROUP BY m.country ORDER BY 1",
    ],
  ),
];
