/** Devices and what they measure: single and double floats, wide decimals, gaps in time, intervals, versions as text. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal, minutesAfter } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(10_004);

const SITES = [
  [1, "Alpha Works", "Europe/Berlin", 52.52, 13.405, 34.5, "2019-03-31"],
  [2, "Besançon Dam", "Europe/Paris", 47.237829, 6.0240539, 251.25, "2020-02-29"],
  [3, "Cerro Ñandú", "America/Santiago", -33.4489, -70.6693, 570, "2021-12-31"],
  [4, "Denver_Yard", "America/Denver", 39.7392, -104.9903, 1609.344, null],
  [5, "Empty Site", "UTC", 0, 0, null, "2024-01-01"],
] as const;

const MODELS = ["TX-100", "TX-200", "tx-200b", "HUM 9"];

const devices = Array.from({ length: 24 }, (_, index) => {
  const installed = minutesAfter("2022-06-01 00:00:00", between(random, 0, 60 * 24 * 500));
  return [
    5_000_000_000 + index,
    between(random, 1, 4),
    random.pick(MODELS),
    `SN${String(between(random, 1, 99_999)).padStart(6, "0")}${random.pick(["", "-R", "-X2"])}`,
    `${installed}+00:00`,
    random.chance(0.2) ? `${minutesAfter(installed, 60 * 24 * between(random, 30, 400))}+00:00` : null,
    random.pick(["1.9.0", "1.10.2", "2.0.0", "2.0.0-rc1", "2.1.14", null]),
    random.chance(0.2)
      ? null
      : JSON.stringify({
          offset: between(random, -200, 200) / 100,
          gain: 1 + between(random, -5, 5) / 1000,
          by: random.pick(["Kim", "Åse", null]),
          points: [between(random, 0, 9), between(random, 10, 19), between(random, 20, 29)],
        }),
    random.chance(0.1) ? null : ["temperature", "humidity", "battery"].filter(() => random.chance(0.7)),
  ] as const;
});

/** Every half hour for two days around a month's end and on a leap day, with holes. */
const readings = devices.slice(0, 14).flatMap(([device]) => {
  let temperature = between(random, 8, 24) * 1000;
  return [
    ...Array.from({ length: 60 }, (_, index) => minutesAfter("2024-01-31 00:00:00", index * 30)),
    ...Array.from({ length: 16 }, (_, index) => minutesAfter("2024-02-29 16:00:00", index * 60)),
  ]
    .filter((_, index) => !random.chance(0.06) && !(index > 20 && index < 20 + between(random, 0, 9)))
    .map((at) => {
      temperature += between(random, -700, 700);
      return [
        device,
        at,
        random.chance(0.05) ? null : temperature / 1024,
        random.chance(0.08) ? null : between(random, 20_000, 99_999) / 1000,
        random.chance(0.03) ? null : between(random, 2_900, 4_200),
        random.pick(["ok", "ok", "ok", "suspect", "bad"]),
      ] as const;
    });
});

const meters = devices.slice(4, 12).flatMap(([device]) =>
  Array.from({ length: 75 }, (_, index) => dayAfter("2023-12-10", index))
    .filter(() => !random.chance(0.1))
    .map(
      (day) =>
        [
          device,
          day,
          `${between(random, 0, 480)}.${String(between(random, 0, 9_999_999_999)).padStart(10, "0")}`,
          random.chance(0.1) ? null : decimal(between(random, 0, 90_000_000), 6),
        ] as const,
    ),
);

const alerts = Array.from({ length: 120 }, (_, index) => {
  const raised = minutesAfter("2024-01-15 00:00:00", between(random, 0, 60 * 24 * 50));
  return [
    index + 1,
    random.pick(devices)[0],
    raised,
    random.chance(0.25) ? null : minutesAfter(raised, random.pick([0, 1, 5, 59, 60, 61, 1440, 5000])),
    between(random, 1, 5),
    random.pick(["TEMP_HIGH", "TEMP_LOW", "BATT_LOW", "OFFLINE", "door-open"]),
    random.pick(["value 81.5 above 80", "value -3 below 0", "battery at 2987 mV", "no data for 3 h", "Tür offen", ""]),
    random.pick([true, false, null]),
  ] as const;
});

const THRESHOLDS = [
  ["temperature", "TX-100", -10, 35.5, "2022-01-01"],
  ["temperature", "TX-200", -20, 45, "2022-01-01"],
  ["temperature", "tx-200b", null, 40, "2023-05-01"],
  ["humidity", "TX-100", 20, 80, "2022-01-01"],
  ["humidity", "HUM 9", 10, 95.5, "2023-05-01"],
  ["battery", "TX-100", 3000, null, "2022-01-01"],
] as const;

const maintenance = Array.from({ length: 45 }, (_, index) => {
  const starts = minutesAfter("2023-11-01 07:00:00", between(random, 0, 60 * 24 * 140));
  return [
    index + 1,
    random.pick(devices)[0],
    random.chance(0.1) ? null : random.pick(["1 hour", "90 minutes", "2 hours 30 minutes", "1 day", "00:15:00"]),
    starts,
    random.chance(0.1) ? null : minutesAfter(starts, between(random, 10, 1600)),
    random.pick(["Kim", "Åse", "Ravi", "kim ", null]),
    random.chance(0.1) ? null : decimal(between(random, 0, 90_000), 2),
    random.chance(0.3)
      ? null
      : ["filter", "probe", "battery", "seal, rubber", "filter"].filter(() => random.chance(0.4)),
  ] as const;
});

export const SENSORS: CorpusSchema = {
  name: "sensors",
  tables: [
    table(
      "site",
      {
        site_id: "integer NOT NULL",
        name: "text",
        timezone: "text",
        latitude: "double precision",
        longitude: "double precision",
        elevation_m: "real",
        commissioned: "date",
      },
      { key: "site_id", rows: SITES },
    ),
    table(
      "device",
      {
        device_id: "bigint NOT NULL",
        site_id: "integer",
        model: "text",
        serial: "text",
        installed_at: "timestamptz",
        retired_at: "timestamptz",
        firmware: "text",
        calibration: "jsonb",
        channels: "text[]",
      },
      { key: "device_id", references: ["site_id → site.site_id"], rows: devices },
    ),
    table(
      "reading",
      {
        device_id: "bigint NOT NULL",
        read_at: "timestamp NOT NULL",
        temperature: "real",
        humidity: "double precision",
        battery_mv: "smallint",
        quality: "text",
      },
      { key: ["device_id", "read_at"], references: ["device_id → device.device_id"], rows: readings },
    ),
    table(
      "meter",
      { device_id: "bigint NOT NULL", day: "date NOT NULL", kwh: "numeric(38,10)", peak_kw: "numeric(18,6)" },
      { key: ["device_id", "day"], references: ["device_id → device.device_id"], rows: meters },
    ),
    table(
      "alert",
      {
        alert_id: "bigint NOT NULL",
        device_id: "bigint",
        raised_at: "timestamp",
        cleared_at: "timestamp",
        severity: "smallint",
        code: "text",
        message: "text",
        acknowledged: "boolean",
      },
      { key: "alert_id", references: ["device_id → device.device_id"], rows: alerts },
    ),
    table(
      "threshold",
      {
        metric: "text NOT NULL",
        model: "text NOT NULL",
        low: "double precision",
        high: "double precision",
        since: "date",
      },
      { key: ["metric", "model"], rows: THRESHOLDS },
    ),
    table(
      "maintenance",
      {
        job_id: "integer NOT NULL",
        device_id: "bigint",
        planned: "interval",
        starts_at: "timestamp",
        ends_at: "timestamp",
        technician: "text",
        cost: "numeric(10,2)",
        parts: "text[]",
      },
      { key: "job_id", references: ["device_id → device.device_id"], rows: maintenance },
    ),
  ],
};
