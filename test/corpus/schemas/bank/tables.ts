/** A bank: branches, clients, accounts, their movements, cards, loans with instalments, and exchange rates. */
import { Random } from "../../../support/random-query.ts";
import { BOUNDARY_DAYS, dayAfter, timeOn } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(77003);

const branches: readonly (readonly Cell[])[] = [
  [1, "HQ", "Frankfurt am Main", "08:30:00", "17:00:00"],
  [2, "Ost", "Leipzig", "09:00:00", "16:30:00"],
  [3, "Süd", "München", "09:00:00", null],
  [4, "Online", null, null, null],
];

const clients = Array.from({ length: 90 }, (_, index): readonly Cell[] => [
  index + 1,
  random.pick(["private", "private", "business", "Private "]),
  random.pick(["Weber", "Schröder", "O'Brien", "weber", "Łukasz", "Nowak GmbH", "Ivanova", "", "D'Arcy & Sons"]),
  random.chance(0.1)
    ? null
    : random.pick(["1958-02-28", "1964-02-29", "2000-12-31", dayAfter("1950-01-01", random.below(18_000))]),
  random.chance(0.15) ? null : 300 + random.below(550),
  1 + random.below(4),
  random.chance(0.12) ? null : random.pick(["low", "medium", "high", "LOW"]),
  random.pick(["DE", "DE", "PL", "IE", "FR"]),
]);

const accounts = Array.from({ length: 150 }, (_, index): readonly Cell[] => {
  const opened = random.chance(0.15) ? random.pick(BOUNDARY_DAYS) : dayAfter("2019-01-01", random.below(1900));
  return [
    `DE${String(10_000_000 + index * 7919).padStart(10, "0")}`,
    1 + random.below(85),
    random.pick(["checking", "checking", "savings", "deposit"]),
    random.pick(["EUR", "EUR", "EUR", "USD", "GBP", "CHF"]),
    opened,
    random.chance(0.12) ? dayAfter(opened, 30 + random.below(900)) : null,
    random.pick([0, 500, 1000, 0, 2500.5]),
    random.chance(0.2) ? null : random.pick([0, 0.0005, 0.0125, 0.025]),
  ];
});

const KINDS = ["card", "transfer", "direct debit", "salary", "fee", "cash", "interest"] as const;
const PARTNERS = [
  "REWE Markt 0815",
  "Netflix.com",
  "Employer AG / SALARY 03-2024",
  "ATM 4711 LEIPZIG",
  "rewe markt 0007",
  "Müller, Drogerie",
  "Miete März",
  null,
  "",
  "PAYPAL *SHOP24",
  "Uber   *TRIP",
] as const;

const movements = Array.from({ length: 1500 }, (_, index): readonly Cell[] => {
  const day = random.chance(0.15) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-10-01", random.below(460));
  const kind = random.pick(KINDS);
  const amount =
    kind === "salary"
      ? 2000 + random.below(3000)
      : kind === "interest"
        ? random.pick([0, 0.01, 1.37, 12.5])
        : kind === "fee"
          ? random.pick([-1.5, -4.9, 0])
          : random.pick([-9.99, -25, -120.4, -0.01, 50, 250, -1000, -42.42, 10]);
  return [
    index + 1,
    accounts[random.below(140)]![0]!,
    timeOn(day, random.chance(0.1) ? random.pick([0, 86_399]) : random.below(86_400)),
    amount,
    kind,
    random.pick(PARTNERS),
    random.chance(0.05) ? null : dayAfter(day, random.below(3)),
  ];
});

const cards = Array.from({ length: 110 }, (_, index): readonly Cell[] => [
  index + 1,
  accounts[random.below(130)]![0]!,
  `${random.pick([4111, 5500, 4900])} **** **** ${String(random.below(10_000)).padStart(4, "0")}`,
  random.pick(["2024-02-29", "2024-12-31", "2025-06-30", "2026-01-31", "2023-11-30"]),
  random.pick(["active", "blocked", "expired", "active"]),
  random.chance(0.25) ? null : random.pick([500, 1000, 2000, 5000]),
]);

const loans: (readonly Cell[])[] = [];
const instalments: (readonly Cell[])[] = [];
for (let id = 1; id <= 40; id++) {
  const months = random.pick([6, 12, 24]);
  const principal = 1000 * (1 + random.below(40));
  const start = random.pick(["2023-01-31", "2023-08-31", "2024-01-30", dayAfter("2022-06-01", random.below(600))]);
  loans.push([
    id,
    1 + random.below(85),
    principal,
    random.pick([0.019, 0.0349, 0.0599]),
    months,
    start,
    random.pick(["car", "home", "other", null]),
  ]);
  for (let month = 1; month <= Math.min(months, 12); month++) {
    const due = dayAfter(start, 30 * month);
    const late = random.chance(0.2);
    instalments.push([
      id,
      month,
      due,
      Math.round((principal / months) * 100) / 100,
      random.chance(0.1) ? null : dayAfter(due, late ? 1 + random.below(45) : -random.below(3)),
    ]);
  }
}

const rates: (readonly Cell[])[] = [];
for (let month = 0; month < 16; month++)
  for (const [currency, base] of [
    ["USD", 1.08],
    ["GBP", 0.86],
    ["CHF", 0.95],
  ] as const)
    if (!random.chance(0.08))
      rates.push([currency, dayAfter("2023-10-01", month * 30), base + random.below(100) / 2500, random.chance(0.5)]);

export const BANK: CorpusSchema = {
  name: "bank",
  tables: [
    table(
      "branches",
      { branch_id: "integer NOT NULL", name: "text NOT NULL", city: "text", opens: "time", closes: "time" },
      { key: "branch_id", rows: branches },
    ),
    table(
      "clients",
      {
        client_id: "integer NOT NULL",
        kind: "text NOT NULL",
        last_name: "text NOT NULL",
        born_on: "date",
        score: "smallint",
        branch_id: "integer NOT NULL",
        risk: "text",
        country: "varchar(2) NOT NULL",
      },
      { key: "client_id", references: ["branch_id → branches.branch_id"], rows: clients },
    ),
    table(
      "accounts",
      {
        iban: "varchar(34) NOT NULL",
        client_id: "integer NOT NULL",
        product: "text NOT NULL",
        currency: "varchar(3) NOT NULL",
        opened_on: "date NOT NULL",
        closed_on: "date",
        overdraft: "numeric(10,2) NOT NULL",
        rate: "numeric(7,5)",
      },
      { key: "iban", references: ["client_id → clients.client_id"], rows: accounts },
    ),
    table(
      "movements",
      {
        movement_id: "bigint NOT NULL",
        iban: "varchar(34) NOT NULL",
        booked_at: "timestamp NOT NULL",
        amount: "numeric(14,2) NOT NULL",
        kind: "text NOT NULL",
        partner: "text",
        value_date: "date",
      },
      { key: "movement_id", references: ["iban → accounts.iban"], rows: movements },
    ),
    table(
      "cards",
      {
        card_id: "integer NOT NULL",
        iban: "varchar(34) NOT NULL",
        number: "text NOT NULL",
        expires_on: "date NOT NULL",
        state: "text NOT NULL",
        monthly_limit: "integer",
      },
      { key: "card_id", references: ["iban → accounts.iban"], rows: cards },
    ),
    table(
      "loans",
      {
        loan_id: "integer NOT NULL",
        client_id: "integer NOT NULL",
        principal: "numeric(12,2) NOT NULL",
        annual_rate: "double precision NOT NULL",
        months: "integer NOT NULL",
        start_on: "date NOT NULL",
        purpose: "text",
      },
      { key: "loan_id", references: ["client_id → clients.client_id"], rows: loans },
    ),
    table(
      "instalments",
      {
        loan_id: "integer NOT NULL",
        number: "integer NOT NULL",
        due_on: "date NOT NULL",
        amount: "numeric(12,2) NOT NULL",
        paid_on: "date",
      },
      { key: ["loan_id", "number"], references: ["loan_id → loans.loan_id"], rows: instalments },
    ),
    table(
      "rates",
      {
        currency: "varchar(3) NOT NULL",
        valid_from: "date NOT NULL",
        per_euro: "numeric(12,6) NOT NULL",
        official: "boolean NOT NULL",
      },
      { key: ["currency", "valid_from"], rows: rates },
    ),
  ],
};
