/** Houses for sale: a tree of regions, a very wide table, prices kept as text, coordinates, tags in a table of their own. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal, minutesAfter } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(12_006);

const REGIONS = [
  [1, null, "Earth", "world", 8_045_311_447, 510_072_000],
  [10, 1, "Deutschland", "country", 84_358_845, 357_588],
  [11, 1, "España", "country", 48_059_777, 505_990],
  [12, 1, "Atlantis", "country", null, null],
  [20, 10, "Bayern", "state", 13_369_393, 70_541.57],
  [21, 10, "Sachsen", "state", 4_086_152, 18_449.99],
  [22, 11, "Andalucía", "state", 8_584_147, 87_599],
  [30, 20, "München", "city", 1_512_491, 310.7],
  [31, 20, "Fürth", "city", 131_433, 63.35],
  [32, 21, "Dresden", "city", 563_311, 328.48],
  [33, 22, "Sevilla", "city", 684_234, 141.4],
  [34, 22, "Málaga", "city", 586_384, 395.1],
  [40, 30, "Schwabing", "district", 73_000, 2.96],
  [41, 30, "Giesing", "district", null, 15.6],
  [42, 33, "Triana", "district", 47_455, null],
] as const;

const agents = [
  "Ada Lovelace",
  "Benoît Ség",
  "Carla Núñez",
  "dieter  wolf",
  "Eve O'Dell",
  "Farid Ünal",
  "Grace Hopper",
  "Idle Agent",
].map(
  (name, index) =>
    [
      index + 1,
      name,
      dayAfter("2015-02-28", index * 397),
      random.chance(0.15) ? null : decimal(between(random, 900, 3_950), 3),
      index === 0 ? null : index < 3 ? 1 : between(random, 1, 3),
      random.pick(["+49 (89) 555-0101", "089/5550102", "+34 95 555 01 03", "n/a", null, "555.0104 ext. 7"]),
      ["de", "es", "en", "fr"].filter(() => random.chance(0.5)),
    ] as const,
);

const STREETS = ["Hauptstr.", "Calle Mayor", "Am Bach", "Rosenweg", "Avenida de la Constitución", "Schloßallee"];

const properties = Array.from({ length: 110 }, (_, index) => {
  const city = random.pick([30, 31, 32, 33, 34, 40, 41, 42]);
  const price = between(random, 60, 1_900) * 1_000 + random.pick([0, 0, 500, 990]);
  const grouped = String(price).replace(/\B(?=(\d{3})+$)/g, ".");
  const listed = dayAfter("2023-01-01", between(random, 0, 440));
  return {
    id: index + 1,
    price,
    listed,
    row: [
      index + 1,
      city,
      random.chance(0.1) ? null : between(random, 1, 7),
      random.pick(["house", "flat", "flat", "flat", "plot", "House"]),
      random.chance(0.05) ? null : random.pick(STREETS),
      random.pick(["1", "12a", "7-9", "103 B", "22", ""]),
      random.pick(["80801", "01067", "41010", "29001", "8080", null]),
      random.chance(0.1) ? null : decimal(between(random, 36_000_000, 52_000_000), 6),
      random.chance(0.1) ? null : decimal(between(random, -6_000_000, 14_000_000), 6),
      random.chance(0.1) ? null : between(random, 0, 7),
      random.pick(["1.0", "1.5", "2.0", "2.5", "3.0", null]),
      random.chance(0.05) ? null : decimal(between(random, 1_800, 42_000), 2),
      random.chance(0.5) ? null : between(random, 0, 4_000),
      random.chance(0.15) ? null : between(random, 1880, 2024),
      random.pick(["A+", "A", "B", "C", "D", "E", "F", null]),
      random.chance(0.4),
      random.chance(0.5),
      random.pick([true, false, false, null]),
      random.chance(0.3) ? null : between(random, -1, 12),
      listed,
      random.chance(0.06)
        ? random.pick(["on request", "", "VHB", null])
        : random.pick([`€ ${grouped}`, `${grouped} EUR`, `${price}`, `${price},00 €`]),
      random.chance(0.15)
        ? null
        : JSON.stringify({
            heating: random.pick(["gas", "oil", "heat pump"]),
            rooms: Array.from({ length: between(random, 0, 3) }, () => ({
              kind: random.pick(["kitchen", "bath", "living"]),
              m2: between(random, 40, 400) / 10,
            })),
            energy: {
              kwh: random.chance(0.3) ? null : between(random, 20, 400),
              issued: dayAfter("2015-01-01", between(random, 0, 3000)),
            },
            balcony: random.pick([true, false]),
          }),
      random.pick([
        "Bright and quiet.",
        "Near U-Bahn; 3rd floor",
        "Ideal für Familien! Tel 0151-555",
        "TOP LAGE — no agents",
        "needs work (roof, heating)",
        "",
      ]),
    ],
  };
});

const changes = properties.flatMap(({ id, price, listed }) =>
  Array.from(
    { length: between(random, 1, 4) },
    (_, index) =>
      [
        id,
        dayAfter(listed, index * between(random, 20, 45)),
        decimal(Math.round(price * 100 * (1 - index * 0.03)), 2),
      ] as const,
  ).filter((row, index, all) => all.findIndex(([, day]) => day === row[1]) === index),
);

const clients = Array.from(
  { length: 40 },
  (_, index) =>
    [
      index + 1,
      random.pick(["Jürgen Groß", "María-José Pérez", "LEE, Ann", "  tom  hardy", "Zoë Ødegård", "Kim"]) +
        (index % 5 === 0 ? "" : ` ${random.pick(["Jr.", "II", "PhD"])}`),
      random.chance(0.1) ? null : `c${index}@${random.pick(["example.com", "test.example", "Example.com"])}`,
      random.chance(0.2) ? null : decimal(between(random, 50, 500) * 100_000, 2),
      random.chance(0.2) ? null : decimal(between(random, 500, 1_500) * 100_000, 2),
      random.chance(0.1) ? null : ["garden", "garage", "pool", "balcony"].filter(() => random.chance(0.4)),
      random.pick([true, false, null]),
      minutesAfter("2023-01-01 00:00:00", between(random, 0, 60 * 24 * 400)),
    ] as const,
);

const viewings = Array.from({ length: 260 }, (_, index) => {
  const property = random.pick(properties);
  const showed = random.pick([true, true, true, false, null]);
  return [
    index + 1,
    property.id,
    between(random, 1, 40),
    minutesAfter(`${dayAfter(property.listed, between(random, 1, 80))} 09:00:00`, between(random, 0, 20) * 30),
    random.pick([15, 30, 30, 45, null]),
    showed,
    showed === true && random.chance(0.7) ? between(random, 1, 10) : null,
    random.chance(0.6)
      ? null
      : random.pick(["liked the kitchen", "Too small", "too SMALL!", "price?", "schöne Aussicht", ""]),
  ] as const;
});

const offers = Array.from({ length: 95 }, (_, index) => {
  const property = random.pick(properties.slice(0, 60));
  return {
    id: index + 1,
    property,
    client: between(random, 1, 40),
    at: minutesAfter(`${dayAfter(property.listed, between(random, 5, 120))} 10:00:00`, between(random, 0, 600)),
    amount: decimal(Math.round(property.price * (70 + between(random, 0, 35))), 2),
    status: random.pick(["rejected", "rejected", "withdrawn", "pending", "accepted"]),
  };
});

const sold = new Map(
  offers.filter((offer) => offer.status === "accepted").map((offer) => [offer.property.id, offer] as const),
);

const sales = [...sold.values()].map(
  (offer) =>
    [
      offer.property.id,
      offer.id,
      dayAfter(offer.at.slice(0, 10), between(random, 14, 90)),
      offer.amount,
      offer.client,
    ] as const,
);

const tags = properties.flatMap(({ id }) =>
  ["new", "reduced", "premium", "sea view", "fixer-upper"]
    .filter(() => random.chance(0.25))
    .map((tag) => [id, tag] as const),
);

export const REALTY: CorpusSchema = {
  name: "realty",
  tables: [
    table(
      "region",
      {
        region_id: "integer NOT NULL",
        parent_id: "integer",
        name: "text",
        level: "text",
        population: "bigint",
        area_km2: "double precision",
      },
      { key: "region_id", references: ["parent_id → region.region_id"], rows: REGIONS },
    ),
    table(
      "agent",
      {
        agent_id: "integer NOT NULL",
        name: "text",
        hired: "date",
        commission_pct: "numeric(5,3)",
        manager_id: "integer",
        phone: "text",
        languages: "text[]",
      },
      { key: "agent_id", references: ["manager_id → agent.agent_id"], rows: agents },
    ),
    table(
      "property",
      {
        property_id: "integer NOT NULL",
        region_id: "integer",
        agent_id: "integer",
        kind: "text",
        street: "text",
        house_no: "text",
        postcode: "text",
        lat: "numeric(9,6)",
        lon: "numeric(9,6)",
        bedrooms: "smallint",
        bathrooms: "numeric(3,1)",
        area_m2: "numeric(8,2)",
        plot_m2: "integer",
        year_built: "smallint",
        energy_class: "text",
        has_garden: "boolean",
        has_garage: "boolean",
        has_pool: "boolean",
        floor: "smallint",
        listed_on: "date",
        asking_text: "text",
        features: "jsonb",
        description: "text",
      },
      {
        key: "property_id",
        references: ["region_id → region.region_id", "agent_id → agent.agent_id"],
        rows: properties.map(({ row }) => row),
      },
    ),
    table(
      "price_change",
      { property_id: "integer NOT NULL", changed_on: "date NOT NULL", price: "numeric(12,2)" },
      { key: ["property_id", "changed_on"], references: ["property_id → property.property_id"], rows: changes },
    ),
    table(
      "client",
      {
        client_id: "integer NOT NULL",
        full_name: "text",
        email: "text",
        budget_min: "numeric(12,2)",
        budget_max: "numeric(12,2)",
        wants: "text[]",
        newsletter: "boolean",
        created_at: "timestamp",
      },
      { key: "client_id", rows: clients },
    ),
    table(
      "viewing",
      {
        viewing_id: "integer NOT NULL",
        property_id: "integer",
        client_id: "integer",
        scheduled_at: "timestamp",
        duration_min: "smallint",
        showed_up: "boolean",
        score: "smallint",
        comment: "text",
      },
      {
        key: "viewing_id",
        references: ["property_id → property.property_id", "client_id → client.client_id"],
        rows: viewings,
      },
    ),
    table(
      "offer",
      {
        offer_id: "integer NOT NULL",
        property_id: "integer",
        client_id: "integer",
        offered_at: "timestamp",
        amount: "numeric(12,2)",
        status: "text",
      },
      {
        key: "offer_id",
        references: ["property_id → property.property_id", "client_id → client.client_id"],
        rows: offers.map(
          (each) => [each.id, each.property.id, each.client, each.at, each.amount, each.status] as const,
        ),
      },
    ),
    table(
      "sale",
      {
        property_id: "integer NOT NULL",
        offer_id: "integer",
        closed_on: "date",
        price: "numeric(12,2)",
        buyer_id: "integer",
      },
      {
        key: "property_id",
        references: ["property_id → property.property_id", "offer_id → offer.offer_id", "buyer_id → client.client_id"],
        rows: sales,
      },
    ),
    table(
      "property_tag",
      { property_id: "integer NOT NULL", tag: "text NOT NULL" },
      { key: ["property_id", "tag"], references: ["property_id → property.property_id"], rows: tags },
    ),
  ],
};
