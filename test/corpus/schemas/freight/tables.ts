/** Goods in warehouses and on the road: natural keys, composite keys, times of day, measures with three decimals. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal, minutesAfter } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(7001);

const WAREHOUSES = [
  ["BER1", "Berlin Süd", "Berlin", "06:00:00", "22:00:00", 52.3667, 13.5033, "18500.00", true],
  ["HAM1", "Hamburg Hafen", "Hamburg", "00:00:00", "23:59:59", 53.5461, 9.9661, "42000.50", true],
  ["LOD1", "Łódź Centralny", "Łódź", "07:30:00", "19:45:00", 51.7592, 19.456, "9800.25", true],
  ["MAD1", "Madrid — Coslada", "Madrid", "05:45:00", "21:15:00", 40.4238, -3.5613, null, true],
  ["ROT1", "Rotterdam", "Rotterdam", "00:00:00", "23:59:59", 51.9244, 4.4777, "61000.00", true],
  ["SPA1", "São Paulo Norte", "São Paulo", "08:00:00", "18:00:00", -23.4356, -46.4731, "7700.00", false],
  ["TYO1", "東京第一", "東京", "09:00:00", "17:30:00", 35.6528, 139.8395, "3300.10", true],
  ["ZRH1", "Zürich O'Hara", "Zürich", null, null, 47.3769, 8.5417, "0.00", false],
] as const;

const CARRIERS = [
  [1, "Blue Line Trucks", "road", 4.5, "ops@blueline.example", "+49 30 555-0101"],
  [2, "Nordic Rail", "rail", 3.75, "desk@nordic-rail.example", "0046 8 5550102"],
  [3, "Aeolus Air Cargo", "air", 4.25, "AEOLUS@Cargo.Example", "(030) 555 0103"],
  [4, "Mar & Sol", "sea", null, null, "+34.91.555.0104"],
  [5, "Quick_Parcel 100%", "road", 2.5, "help@quick.example", null],
  [6, "Żubr Logistyka", "road", 3.75, "", "+48 42 555 01 06"],
  [7, "Dormant Freight", "sea", 1.0, "none@dormant.example", ""],
] as const;

const CATEGORIES = ["electronics", "food", "furniture", "chemicals", "toys", null];

const items = Array.from({ length: 40 }, (_, index) => {
  const category = random.pick(CATEGORIES);
  return [
    `SKU-${String(index + 1).padStart(4, "0")}`,
    random.pick([
      "Box of bolts",
      "Lamp, desk",
      "Rice 5kg",
      "Oak chair",
      "Solvent (50%)",
      "Toy   robot",
      "Käse",
      "naïve paint",
    ]) + (index % 7 === 0 ? " " : ""),
    category,
    random.chance(0.1) ? null : decimal(between(random, 50, 42_000), 3),
    between(random, 5, 120),
    between(random, 5, 80),
    random.chance(0.08) ? null : between(random, 2, 60),
    category === "chemicals" || random.chance(0.05),
    random.pick(["piece", "kg", "pallet"]),
    random.chance(0.05) ? null : decimal(between(random, 99, 49_999), 2),
  ] as const;
});

const stock = WAREHOUSES.slice(0, 7).flatMap(([code]) =>
  items
    .filter(() => random.chance(0.45))
    .map(([sku]) => {
      const onHand = random.chance(0.15) ? 0 : between(random, 1, 400);
      return [
        code,
        sku,
        onHand,
        between(random, 0, Math.max(0, Math.floor(onHand / 3))),
        random.chance(0.2) ? null : between(random, 10, 120),
        random.chance(0.1) ? null : dayAfter("2024-01-01", between(random, -40, 90)),
        `${random.pick(["A", "B", "C"])}-${between(random, 1, 12)}-${between(random, 1, 4)}`,
      ] as const;
    }),
);

const shipments = Array.from({ length: 180 }, (_, index) => {
  const booked = minutesAfter("2023-11-20 08:00:00", between(random, 0, 60 * 24 * 150));
  const status = random.pick(["delivered", "delivered", "delivered", "in_transit", "booked", "cancelled", "lost"]);
  const picked = ["booked", "cancelled"].includes(status) ? null : minutesAfter(booked, between(random, 30, 4000));
  const delivered =
    status === "delivered" && picked !== null ? minutesAfter(picked, between(random, 120, 14_000)) : null;
  const origin = random.pick(WAREHOUSES)[0];
  return [
    100_000 + index * 3,
    random.chance(0.06) ? null : between(random, 1, 6),
    origin,
    random.pick(WAREHOUSES.filter(([code]) => code !== origin))[0],
    status,
    booked,
    picked,
    delivered,
    random.chance(0.1) ? null : dayAfter(booked.slice(0, 10), between(random, 1, 9)),
    random.chance(0.05) ? null : decimal(between(random, 2_000, 900_000), 2),
    random.chance(0.05) ? null : between(random, 80, 40_000) / 8,
    random.chance(0.3)
      ? null
      : `${String(between(random, 6, 20)).padStart(2, "0")}:${random.pick(["00", "15", "30", "45"])}:00`,
    random.chance(0.6)
      ? null
      : random.pick([
          "",
          "Fragile!",
          "call before delivery",
          "left at  door",
          "ref: PO-1234, PO-99",
          "50% off_load\\dock",
          "déjà vu",
        ]),
  ] as const;
});

const lines = shipments.flatMap(([shipment]) =>
  Array.from(
    { length: between(random, 0, 5) },
    (_, index) =>
      [
        shipment,
        index + 1,
        random.pick(items)[0],
        between(random, 1, 60),
        random.chance(0.85) ? 0 : between(random, 1, 5),
      ] as const,
  ),
);

const moves = Array.from({ length: 320 }, (_, index) => {
  const [code, sku] = random.pick(stock);
  const kind = random.pick(["in", "out", "out", "adjust"]);
  const quantity = between(random, 1, 80);
  return [
    index + 1,
    minutesAfter("2024-01-01 00:00:00", between(random, 0, 60 * 24 * 91)),
    code,
    sku,
    kind,
    kind === "out" ? -quantity : kind === "adjust" ? between(random, -9, 9) : quantity,
    random.chance(0.4) ? null : `PO-${between(random, 1, 40)}/${random.pick(["A", "b", "C"])}`,
  ] as const;
});

const TARIFF_STARTS = ["2023-01-01", "2023-07-01", "2024-01-01", "2024-02-29"];

const tariffs = [1, 2, 3, 5, 6].flatMap((carrier) =>
  ["domestic", "eu", "world"]
    .filter(() => random.chance(0.8))
    .flatMap((zone) =>
      TARIFF_STARTS.map((start, index) => {
        const next = TARIFF_STARTS[index + 1];
        return [
          carrier,
          zone,
          start,
          next === undefined ? null : dayAfter(next, -1),
          decimal(between(random, 3_000, 25_000), 4),
          random.chance(0.2) ? null : decimal(between(random, 500, 9_000), 2),
        ] as const;
      }),
    ),
);

export const FREIGHT: CorpusSchema = {
  name: "freight",
  tables: [
    table(
      "warehouses",
      {
        code: "text NOT NULL",
        name: "text",
        city: "text",
        opens: "time",
        closes: "time",
        latitude: "double precision",
        longitude: "double precision",
        capacity_m3: "numeric(10,2)",
        active: "boolean",
      },
      { key: "code", rows: WAREHOUSES },
    ),
    table(
      "carriers",
      { carrier_id: "smallint NOT NULL", name: "text", mode: "text", rating: "real", email: "text", phone: "text" },
      { key: "carrier_id", rows: CARRIERS },
    ),
    table(
      "items",
      {
        sku: "text NOT NULL",
        description: "text",
        category: "text",
        weight_kg: "numeric(8,3)",
        length_cm: "smallint",
        width_cm: "smallint",
        height_cm: "smallint",
        hazardous: "boolean",
        unit: "text",
        list_price: "numeric(10,2)",
      },
      { key: "sku", rows: items },
    ),
    table(
      "stock",
      {
        warehouse_code: "text NOT NULL",
        sku: "text NOT NULL",
        on_hand: "integer",
        reserved: "integer",
        reorder_point: "integer",
        last_counted: "date",
        bin: "text",
      },
      {
        key: ["warehouse_code", "sku"],
        references: ["warehouse_code → warehouses.code", "sku → items.sku"],
        rows: stock,
      },
    ),
    table(
      "shipments",
      {
        shipment_id: "bigint NOT NULL",
        carrier_id: "smallint",
        origin: "text",
        destination: "text",
        status: "text",
        booked_at: "timestamp",
        picked_up_at: "timestamp",
        delivered_at: "timestamp",
        promised_on: "date",
        freight_cost: "numeric(12,2)",
        distance_km: "real",
        pickup_slot: "time",
        notes: "text",
      },
      {
        key: "shipment_id",
        references: ["carrier_id → carriers.carrier_id", "origin → warehouses.code", "destination → warehouses.code"],
        rows: shipments,
      },
    ),
    table(
      "shipment_lines",
      {
        shipment_id: "bigint NOT NULL",
        line_no: "smallint NOT NULL",
        sku: "text",
        quantity: "integer",
        damaged: "integer",
      },
      {
        key: ["shipment_id", "line_no"],
        references: ["shipment_id → shipments.shipment_id", "sku → items.sku"],
        rows: lines,
      },
    ),
    table(
      "stock_moves",
      {
        move_id: "bigint NOT NULL",
        moved_at: "timestamp",
        warehouse_code: "text",
        sku: "text",
        kind: "text",
        quantity: "integer",
        reference: "text",
      },
      { key: "move_id", references: ["warehouse_code, sku → stock.warehouse_code, sku"], rows: moves },
    ),
    table(
      "tariffs",
      {
        carrier_id: "smallint NOT NULL",
        zone: "text NOT NULL",
        valid_from: "date NOT NULL",
        valid_to: "date",
        per_km: "numeric(8,4)",
        minimum: "numeric(8,2)",
      },
      { key: ["carrier_id", "zone", "valid_from"], references: ["carrier_id → carriers.carrier_id"], rows: tariffs },
    ),
  ],
};
