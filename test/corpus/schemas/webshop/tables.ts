/** A webshop: categories in a tree, products with attributes, customers, orders, their lines, payments and reviews. */
import { Random } from "../../../support/random-query.ts";
import { BOUNDARY_DAYS, dayAfter, timeOn } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(20240229);

const categories: readonly (readonly Cell[])[] = [
  [1, "Electronics", null],
  [2, "Computers", 1],
  [3, "Laptops", 2],
  [4, "Audio", 1],
  [5, "Headphones", 4],
  [6, "Home & Kitchen", null],
  [7, "Coffee", 6],
  [8, "Bücher", null],
  [9, "Kids' Books", 8],
  [10, "empty shelf", null],
];

const ADJECTIVES = ["Ultra", "Classic", "Mini", "Éclair", "pro", "No-Name", "100%"] as const;
const NOUNS = ["Laptop", "Kettle", "Headset", "Mug", "Atlas", "Speaker", "Müesli_Bowl", "Café Grinder"] as const;

const products = Array.from({ length: 60 }, (_, index): readonly Cell[] => [
  index + 1,
  `SKU-${String(index * 37 + 11).padStart(5, "0")}${index % 11 === 0 ? "b" : ""}`,
  `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}${index % 13 === 0 ? " " : ""}`,
  index % 17 === 16 ? null : 1 + random.below(9),
  random.chance(0.05) ? 0 : random.pick([4.99, 9.9, 12, 19.95, 49, 99.99, 249.5, 1299, 0.01, 7.77]),
  random.chance(0.15) ? null : random.pick([1.25, 3.5, 8, 40, 120.75, 800]),
  random.chance(0.1) ? null : random.below(200) - 5,
  random.pick([
    [],
    ["new"],
    ["sale", "new"],
    ["eco", "sale"],
    ["eco"],
    ["gift", "sale", "eco"],
    null,
    ["Gift"],
  ] as const),
  random.pick([
    '{"color": "red", "weight": 1.5, "dims": {"w": 10, "h": 20}}',
    '{"color": "blue", "weight": 0.75, "dims": {"w": 5, "h": 7}, "sizes": ["S", "M", "L"]}',
    '{"color": null, "weight": 12}',
    '{"colour": "grün", "sizes": []}',
    "{}",
    null,
    '{"color": "red", "sizes": ["M"], "recalled": true}',
  ]),
  dayAfter("2021-11-01", random.below(900)),
  random.chance(0.85),
]);

const NAMES = [
  "Alice Ng",
  "Bob  Stone",
  "Çelik Ayşe",
  "dora meier",
  "Élodie Petit",
  "Frank O'Hara",
  "张伟",
  "GRETA LUND",
  "Hugo ",
] as const;
const COUNTRIES = ["DE", "AT", "CH", "US", "FR", "GB", "JP", null] as const;

const customers = Array.from({ length: 120 }, (_, index): readonly Cell[] => {
  const name = random.pick(NAMES);
  const day = random.chance(0.15) ? random.pick(BOUNDARY_DAYS) : dayAfter("2022-01-01", random.below(900));
  return [
    index + 1,
    name,
    random.chance(0.1)
      ? null
      : `user${index % 100}@${random.pick(["example.com", "Example.com", "shop.test", "mail.example.org"])}`,
    random.pick(COUNTRIES),
    random.pick(["Berlin", "Wien", "Zürich", "New York", "Lyon", "london", "", null]),
    timeOn(day, random.below(86_400)),
    random.chance(0.3) ? null : random.pick(["organic", "ads", "referral", "Ads", "email"]),
    random.chance(0.8),
    random.pick(["+49 30 1234567", "0043-1-5550", "(212) 555-0199", "n/a", "", null, "+33 1 23 45 67 89"]),
  ];
});

const orders: (readonly Cell[])[] = [];
const lines: (readonly Cell[])[] = [];
const payments: (readonly Cell[])[] = [];
for (let id = 1; id <= 420; id++) {
  const day = random.chance(0.12) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-01-01", random.below(730));
  const placed = timeOn(day, random.chance(0.05) ? 86_399 : random.below(86_400));
  const status = random.pick([
    "paid",
    "paid",
    "shipped",
    "shipped",
    "delivered",
    "delivered",
    "delivered",
    "cancelled",
    "pending",
    "Returned",
  ]);
  const shipped = ["shipped", "delivered", "Returned"].includes(status) ? dayAfter(day, random.below(9)) : null;
  orders.push([
    id,
    random.chance(0.03) ? null : 1 + random.below(105),
    placed,
    status,
    shipped,
    random.chance(0.7) ? null : random.pick(["WELCOME10", "welcome10", "SUMMER24", "VIP"]),
    random.pick([0, 0, 4.9, 4.9, 12.5]),
    random.chance(0.85)
      ? null
      : random.pick(["Please ring twice", "leave at door;  no bell", "🎁 gift", "", "100% sure?", "a_b"]),
  ]);
  const count = random.chance(0.04) ? 0 : 1 + random.below(4);
  for (let line = 1; line <= count; line++) {
    const product = products[random.below(55)]!;
    lines.push([
      id,
      line,
      product[0]!,
      random.pick([1, 1, 1, 2, 3, 10]),
      product[4]!,
      random.pick([0, 0, 0, 0.1, 0.15, 0.5]),
    ]);
  }
  if (["paid", "shipped", "delivered", "Returned"].includes(status) && !random.chance(0.05)) {
    const amount = random.pick([19.9, 55, 120.35, 9.99, 1299, 0.5]);
    payments.push([
      payments.length + 1,
      id,
      `${timeOn(day, random.below(3 * 86_400))}${random.pick(["+00", "+01", "-05"])}`,
      random.pick(["card", "card", "paypal", "invoice", "gift card"]),
      amount,
      random.chance(0.08) ? "failed" : "ok",
    ]);
    if (random.chance(0.1)) payments.push([payments.length + 1, id, null, "refund", -amount, "ok"]);
  }
}

const reviews = Array.from({ length: 210 }, (_, index): readonly Cell[] => [
  index + 1,
  1 + random.below(52),
  random.chance(0.1) ? null : 1 + random.below(120),
  random.pick([1, 2, 3, 4, 4, 5, 5, 5, null]),
  random.pick([
    "Great!",
    "great product, would buy again",
    "Not worth the price…",
    "",
    null,
    "Broke after 2 days :(",
    "5 stars *****",
    "Très bien, merci",
    "ok",
    "line one\nline two",
  ]),
  dayAfter("2023-02-01", random.below(700)),
]);

export const WEBSHOP: CorpusSchema = {
  name: "webshop",
  tables: [
    table(
      "categories",
      { category_id: "integer NOT NULL", name: "text NOT NULL", parent_id: "integer" },
      { key: "category_id", references: ["parent_id → categories.category_id"], rows: categories },
    ),
    table(
      "products",
      {
        product_id: "integer NOT NULL",
        sku: "varchar(20) NOT NULL",
        name: "text NOT NULL",
        category_id: "integer",
        price: "numeric(10,2) NOT NULL",
        cost: "numeric(10,2)",
        stock: "integer",
        tags: "text[]",
        attributes: "jsonb",
        listed_on: "date NOT NULL",
        active: "boolean NOT NULL",
      },
      { key: "product_id", references: ["category_id → categories.category_id"], rows: products },
    ),
    table(
      "customers",
      {
        customer_id: "integer NOT NULL",
        name: "text NOT NULL",
        email: "text",
        country: "text",
        city: "text",
        created_at: "timestamp NOT NULL",
        source: "text",
        newsletter: "boolean NOT NULL",
        phone: "text",
      },
      { key: "customer_id", rows: customers },
    ),
    table(
      "orders",
      {
        order_id: "bigint NOT NULL",
        customer_id: "integer",
        placed_at: "timestamp NOT NULL",
        status: "text NOT NULL",
        shipped_on: "date",
        coupon: "text",
        shipping_fee: "numeric(8,2) NOT NULL",
        note: "text",
      },
      { key: "order_id", references: ["customer_id → customers.customer_id"], rows: orders },
    ),
    table(
      "order_lines",
      {
        order_id: "bigint NOT NULL",
        line_no: "integer NOT NULL",
        product_id: "integer NOT NULL",
        quantity: "integer NOT NULL",
        unit_price: "numeric(10,2) NOT NULL",
        discount: "numeric(4,3) NOT NULL",
      },
      {
        key: ["order_id", "line_no"],
        references: ["order_id → orders.order_id", "product_id → products.product_id"],
        rows: lines,
      },
    ),
    table(
      "payments",
      {
        payment_id: "integer NOT NULL",
        order_id: "bigint NOT NULL",
        paid_at: "timestamptz",
        method: "text NOT NULL",
        amount: "numeric(12,2) NOT NULL",
        outcome: "text NOT NULL",
      },
      { key: "payment_id", references: ["order_id → orders.order_id"], rows: payments },
    ),
    table(
      "reviews",
      {
        review_id: "integer NOT NULL",
        product_id: "integer NOT NULL",
        customer_id: "integer",
        stars: "smallint",
        body: "text",
        written_on: "date NOT NULL",
      },
      {
        key: "review_id",
        references: ["product_id → products.product_id", "customer_id → customers.customer_id"],
        rows: reviews,
      },
    ),
  ],
};
