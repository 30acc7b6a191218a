/** Ticket sales as a star schema: surrogate keys, a calendar table, a slowly changing dimension, wide facts. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(11_005);

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const HOLIDAYS: Readonly<Record<string, string>> = {
  "2023-12-25": "Christmas",
  "2024-01-01": "New Year",
  "2024-03-29": "Good Friday",
};

const isoWeek = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  return Math.ceil(((date.getTime() - start) / 86_400_000 + 1) / 7);
};

const keyOf = (day: string) => Number(day.replaceAll("-", ""));

const calendar = Array.from({ length: 136 }, (_, index) => dayAfter("2023-11-18", index)).map((day) => {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return [
    keyOf(day),
    day,
    year,
    Math.ceil(month / 3),
    month,
    MONTHS[month - 1] ?? "",
    isoWeek(day),
    DAYS[weekday] ?? "",
    weekday % 6 === 0,
    HOLIDAYS[day] !== undefined,
    HOLIDAYS[day] ?? null,
  ] as const;
});

const FILMS = [
  [1, "The Last Lamp", null, ["drama"], 121, "PG-13", "2023-11-17", "Northlight", 42_000_000],
  [2, "Amélie Returns", "Le Retour d'Amélie", ["comedy", "romance"], 98, "PG", "2023-12-01", "Gaumond", 9_500_000],
  [3, "ROBOT: Zero", null, ["sci-fi", "action", "thriller"], 142, "R", "2023-12-22", "Northlight", 180_000_000],
  [4, "七つの海", "七つの海", ["animation", "family"], 104, "G", "2024-01-05", "Kumo", null],
  [5, "50% Off", null, ["comedy"], 89, "PG-13", "2024-01-19", "Indie_House", 750_000],
  [
    6,
    'Señor Smith\'s "Holiday"',
    "Señor Smith",
    ["family", "comedy"],
    95,
    "PG",
    "2023-12-15",
    "Gaumond",
    3_000_000_000,
  ],
  [7, "Untitled Horror", null, [], null, null, "2024-02-29", null, null],
  [8, "Quiet Documentary", null, null, 61, "NR", "2024-03-01", "Indie_House", 0],
  [9, "a space oddity", null, ["sci-fi"], 110, "PG-13", "2024-02-09", "Kumo", 64_000_000],
] as const;

const CINEMAS = ["Capitol", "Odéon", "Roxy"];

const screens = CINEMAS.flatMap((cinema, index) =>
  Array.from(
    { length: 2 + index },
    (_, number) =>
      [
        index * 10 + number + 1,
        cinema,
        number + 1,
        between(random, 8, 30) * 10,
        random.pick(["2D", "3D", "IMAX"]),
        random.pick([true, false, null]),
      ] as const,
  ),
);

const customers = Array.from({ length: 70 }, (_, index) => {
  const joined = random.chance(0.15) ? null : dayAfter("2021-05-01", between(random, 0, 1000));
  return {
    key: index + 1,
    member: joined === null ? null : `M${String(1000 + (index % 60))}`,
    birth: random.chance(0.2) ? null : between(random, 1944, 2012),
    postcode: random.pick(["10115", "01067", "80331", "SW1A 1AA", "", null]),
    joined,
    tier: random.pick(["bronze", "silver", "gold", "Gold"]),
    email: random.chance(0.1)
      ? null
      : `${random.pick(["mia", "Noah", "zoë", "li"])}.${index}@${random.pick(["example.com", "EXAMPLE.com", "post.example"])}`,
    current: index >= 10,
  };
});

const CHANNELS = [
  [1, "web", "desktop"],
  [2, "web", "mobile"],
  [3, "app", "ios"],
  [4, "app", "android"],
  [5, "box office", null],
] as const;

const SHOWS = ["11:15:00", "14:00:00", "17:30:00", "20:00:00", "22:45:00"];

const tickets = Array.from({ length: 900 }, (_, index) => {
  const [key, day, , , , , , , weekend] = random.pick(calendar);
  const film = random.pick(FILMS.filter(([, , , , , , released]) => released <= day));
  const gross = random.pick([750, 990, 1150, 1250, 1600]) + (weekend ? 200 : 0);
  const hours = between(random, 0, 2000);
  return [
    index + 1,
    key,
    film[0],
    random.pick(screens)[0],
    random.chance(0.35) ? null : random.pick(customers).key,
    between(random, 1, 5),
    random.pick(SHOWS),
    random.pick(["A", "B", "C", "D", "K", "AA"]),
    between(random, 1, 24),
    decimal(gross, 2),
    random.chance(0.7) ? null : random.pick(["0.00", "1.50", "2.25", decimal(gross, 2)]),
    random.pick(["0.070", "0.070", "0.190"]),
    `${dayAfter(day, -(hours % 12))} ${String(hours % 24).padStart(2, "0")}:${String(hours % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`,
    random.chance(0.05),
    random.chance(0.85) ? null : random.pick(["STUDENT10", "student10", "XMAS-23", "2FOR1 ", ""]),
  ] as const;
});

const PRODUCTS = ["Popcorn L", "Popcorn S", "Cola 0.5l", "Nachos", "Eis – Schoko", "Water"];

const concessions = Array.from({ length: 260 }, (_, index) => {
  const [key, day] = random.pick(calendar);
  const quantity = between(random, 1, 5);
  return [
    index + 1,
    key,
    random.pick(CINEMAS),
    random.pick(PRODUCTS),
    quantity,
    random.chance(0.03) ? null : decimal(quantity * random.pick([250, 390, 450, 599]), 2),
    `${day} ${random.pick(["10:59:59", "13:59:00", "19:45:30", "23:59:59", "00:00:00"])}`,
  ] as const;
});

const ratings = FILMS.slice(0, 8).flatMap(([film]) =>
  ["critics", "audience", "imdb"]
    .filter(() => random.chance(0.8))
    .map(
      (source) =>
        [
          film,
          source,
          random.chance(0.05) ? null : decimal(between(random, 200, 1000), 2),
          between(random, 3, 250_000),
        ] as const,
    ),
);

export const CINEMA: CorpusSchema = {
  name: "cinema",
  tables: [
    table(
      "dim_date",
      {
        date_key: "integer NOT NULL",
        full_date: "date",
        year: "smallint",
        quarter: "smallint",
        month: "smallint",
        month_name: "text",
        week_iso: "smallint",
        day_name: "text",
        is_weekend: "boolean",
        is_holiday: "boolean",
        holiday_name: "text",
      },
      { key: "date_key", rows: calendar },
    ),
    table(
      "dim_film",
      {
        film_key: "integer NOT NULL",
        title: "text",
        original_title: "text",
        genres: "text[]",
        runtime_min: "smallint",
        rating: "text",
        release_date: "date",
        distributor: "text",
        budget_usd: "bigint",
      },
      { key: "film_key", rows: FILMS },
    ),
    table(
      "dim_screen",
      {
        screen_key: "smallint NOT NULL",
        cinema: "text",
        screen_no: "smallint",
        seats: "smallint",
        format: "text",
        has_dolby: "boolean",
      },
      { key: "screen_key", rows: screens },
    ),
    table(
      "dim_customer",
      {
        customer_key: "integer NOT NULL",
        member_no: "text",
        birth_year: "smallint",
        postcode: "text",
        joined: "date",
        tier: "text",
        email: "text",
        valid_from: "date",
        valid_to: "date",
        is_current: "boolean",
      },
      {
        key: "customer_key",
        rows: customers.map(
          (each) =>
            [
              each.key,
              each.member,
              each.birth,
              each.postcode,
              each.joined,
              each.tier,
              each.email,
              each.current ? "2023-12-31" : "2021-05-01",
              each.current ? null : "2023-12-30",
              each.current,
            ] as const,
        ),
      },
    ),
    table(
      "dim_channel",
      { channel_key: "smallint NOT NULL", channel: "text", device: "text" },
      { key: "channel_key", rows: CHANNELS },
    ),
    table(
      "fact_ticket",
      {
        ticket_id: "bigint NOT NULL",
        date_key: "integer",
        film_key: "integer",
        screen_key: "smallint",
        customer_key: "integer",
        channel_key: "smallint",
        show_time: "time",
        seat_row: "text",
        seat_no: "smallint",
        gross: "numeric(8,2)",
        discount: "numeric(8,2)",
        vat_rate: "numeric(4,3)",
        sold_at: "timestamp",
        refunded: "boolean",
        promo_code: "text",
      },
      {
        key: "ticket_id",
        references: [
          "date_key → dim_date.date_key",
          "film_key → dim_film.film_key",
          "screen_key → dim_screen.screen_key",
          "customer_key → dim_customer.customer_key",
          "channel_key → dim_channel.channel_key",
        ],
        rows: tickets,
      },
    ),
    table(
      "fact_concession",
      {
        sale_id: "bigint NOT NULL",
        date_key: "integer",
        cinema: "text",
        product: "text",
        qty: "smallint",
        amount: "numeric(8,2)",
        sold_at: "timestamp",
      },
      { key: "sale_id", references: ["date_key → dim_date.date_key"], rows: concessions },
    ),
    table(
      "film_rating",
      { film_key: "integer NOT NULL", source: "text NOT NULL", score: "numeric(4,2)", votes: "integer" },
      { key: ["film_key", "source"], references: ["film_key → dim_film.film_key"], rows: ratings },
    ),
  ],
};
