/** A subscription business: uuid keys, instants, JSON documents, arrays of text, amounts in several currencies. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal, minutesAfter, monthsAfter, uuid } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(8002);
const instant = (text: string) => `${text}+00:00`;

const PLANS = [
  ["free", "Free", "0.00", 1, ["api"], '{"projects": 1, "storage_gb": 0.5}', null],
  ["basic", "Basic", "9.00", 3, ["api", "export"], '{"projects": 5, "storage_gb": 10}', null],
  [
    "team",
    "Team",
    "49.50",
    10,
    ["api", "export", "sso"],
    '{"projects": 50, "storage_gb": 100, "support": {"hours": "9-17"}}',
    null,
  ],
  [
    "scale",
    "Scale",
    "199.99",
    50,
    ["api", "export", "sso", "audit log"],
    '{"projects": null, "storage_gb": 2000, "support": {"hours": "24/7", "sla": 99.9}}',
    null,
  ],
  ["legacy", "Legacy 2019", "19.00", 5, null, null, "2023-06-30"],
];

const NAMES = [
  "Acme GmbH",
  "Bäckerei Müller",
  "Çelik A.Ş.",
  "Delta, Inc.",
  "Émile & Fils",
  "foo bar",
  "Globex",
  "Hooli",
  "Initech",
  "Jõgeva OÜ",
  "株式会社青空",
  "Löwe's",
  "Mega_Corp",
  "Nimbus 100%",
  "  Padded  ",
  'Quote "Q" Ltd',
  "Ölwerk",
  "Pied Piper",
  "RADAR",
  "Soylent",
];

const accounts = Array.from({ length: 60 }, (_, index) => {
  const name = NAMES[index % NAMES.length] ?? "";
  const tags = random.chance(0.15)
    ? null
    : ["vip", "churn-risk", "beta", "partner", "eu"].filter(() => random.chance(0.3));
  return {
    id: uuid(random),
    name: index < NAMES.length ? name : `${name.trim()} ${Math.floor(index / NAMES.length) + 1}`,
    country: random.pick(["DE", "FR", "US", "US", "JP", "PL", null]),
    signedUp: minutesAfter("2022-10-01 00:00:00", between(random, 0, 60 * 24 * 480)),
    tags,
    settings: random.chance(0.1)
      ? null
      : JSON.stringify({
          theme: random.pick(["dark", "light"]),
          seats: between(random, 1, 80),
          ...(random.chance(0.6)
            ? {
                billing: {
                  method: random.pick(["card", "sepa", "invoice"]),
                  vat: random.chance(0.5) ? `DE${between(random, 100000, 999999)}` : null,
                },
              }
            : {}),
          ...(random.chance(0.5) ? { flags: ["new_ui", "ai", "export"].filter(() => random.chance(0.5)) } : {}),
        }),
    email: random.chance(0.05)
      ? null
      : `${random.pick(["anna", "Bob", "c.lee", "dörte", "eve+test"])}${index}@${random.pick(["example.com", "Example.ORG", "mail.example.net"])}`,
    test: random.chance(0.08),
  };
});

const subscriptions = accounts.flatMap((account) => {
  const count = random.pick([0, 1, 1, 1, 2, 2, 3]);
  let start = dayAfter(account.signedUp.slice(0, 10), between(random, 0, 30));
  return Array.from({ length: count }, (_, index) => {
    const last = index === count - 1;
    const length = between(random, 20, 260);
    const end = last && random.chance(0.6) ? null : dayAfter(start, length);
    const plan = random.pick(["free", "basic", "basic", "team", "team", "scale", "legacy"]);
    const row = {
      id: uuid(random),
      account,
      plan,
      seats: between(random, 1, 40),
      start,
      end,
      period: random.chance(0.25) ? "annual" : "monthly",
      discount: random.chance(0.7) ? null : random.pick(["5.00", "10.00", "12.50", "33.33", "100.00"]),
      trialEnd: random.chance(0.6) ? null : dayAfter(start, 14),
      reason:
        end === null
          ? null
          : random.pick([
              "too expensive",
              "Missing feature: SSO",
              "no reason given",
              "",
              null,
              "Switched to competitor (Hooli)",
            ]),
    };
    start = dayAfter(end ?? start, random.pick([0, 1, 15, 45]));
    return row;
  });
});

const PRICES: Readonly<Record<string, number>> = { free: 0, basic: 900, team: 4950, scale: 19999, legacy: 1900 };

let invoiceNumber = 0;
const invoices = subscriptions.flatMap((subscription) => {
  const price = PRICES[subscription.plan] ?? 0;
  if (price === 0) return [] as const;
  return Array.from({ length: 14 }, (_, index) =>
    monthsAfter(subscription.start, subscription.period === "annual" ? index * 12 : index),
  )
    .filter((day) => day <= (subscription.end ?? "2024-03-31") && day <= "2024-03-31")
    .map((issued) => {
      invoiceNumber += 1;
      const cents = price * (subscription.period === "annual" ? 10 : 1) + between(random, 0, 3) * 250;
      const status = random.pick(["paid", "paid", "paid", "paid", "open", "void", "uncollectible"]);
      return {
        number: `INV-${issued.slice(0, 4)}-${String(invoiceNumber).padStart(5, "0")}`,
        subscription,
        issued,
        due: dayAfter(issued, random.pick([0, 14, 30])),
        paid: status === "paid" ? minutesAfter(`${issued} 09:30:00`, between(random, 0, 60 * 24 * 50)) : null,
        currency: random.pick(["EUR", "EUR", "USD", "USD", "JPY"]),
        cents,
        tax: random.chance(0.1) ? null : decimal(Math.round(cents * 0.19), 2),
        status,
        meta: random.chance(0.4)
          ? null
          : JSON.stringify({
              po: random.chance(0.5) ? `PO-${between(random, 1, 99)}` : null,
              attempts: between(random, 0, 4),
              lines: [{ sku: subscription.plan, n: subscription.seats }],
            }),
      };
    });
});

const invoiceItems = invoices.flatMap(({ number, cents, subscription }) =>
  Array.from(
    { length: between(random, 1, 3) },
    (_, index) =>
      [
        number,
        index + 1,
        index === 0
          ? `${subscription.plan} plan`
          : random.pick(["Extra seat", "Storage (GB)", "Rabatt: Früh­bucher", "support hour"]),
        index === 0 ? "1.000" : decimal(between(random, 1, 20_000), 3),
        index === 0 ? decimal(cents * 100, 4) : decimal(between(random, -50_000, 90_000), 4),
        index === 0 ? "plan" : random.pick(["addon", "addon", "discount"]),
      ] as const,
  ),
);

const EVENT_NAMES = [
  "signup",
  "login",
  "login",
  "login",
  "create_project",
  "invite_user",
  "export",
  "upgrade_click",
  "api_call",
];

const events = Array.from({ length: 500 }, (_, index) => {
  const account = random.pick(accounts);
  const name = random.pick(EVENT_NAMES);
  return [
    index + 1,
    account.id,
    random.chance(0.1) ? null : `user${between(random, 1, 25)}@example.com`,
    name,
    instant(
      `${minutesAfter("2024-01-01 00:00:00", between(random, 0, 60 * 24 * 60))}.${String(between(random, 0, 999_999)).padStart(6, "0")}`,
    ),
    random.chance(0.2)
      ? null
      : JSON.stringify({
          browser: random.pick(["firefox", "chrome", "safari"]),
          ms: between(random, 5, 4000),
          ...(name === "export" ? { format: random.pick(["csv", "xlsx"]), rows: between(random, 0, 10_000) } : {}),
          ...(random.chance(0.2) ? { utm: { source: random.pick(["ads", "mail"]), campaign: null } } : {}),
        }),
    random.chance(0.3) ? null : uuid(new Random(between(random, 1, 90))),
  ] as const;
});

const tickets = Array.from({ length: 90 }, (_, index) => {
  const opened = minutesAfter("2023-12-15 00:00:00", between(random, 0, 60 * 24 * 100));
  const replied = random.chance(0.15) ? null : minutesAfter(opened, between(random, 1, 3000));
  const closed = replied === null || random.chance(0.2) ? null : minutesAfter(replied, between(random, 5, 20_000));
  return [
    index + 1,
    random.chance(0.05) ? null : random.pick(accounts).id,
    instant(opened),
    replied === null ? null : instant(replied),
    closed === null ? null : instant(closed),
    random.pick(["low", "normal", "normal", "high", "urgent"]),
    random.pick([
      "Cannot log in",
      "Invoice wrong?",
      "Re: Re: export fails",
      "[URGENT] Down!",
      "Feature request: dark mode",
      "naïve question",
      "API returns 500",
    ]),
    closed === null || random.chance(0.4) ? null : between(random, 1, 5),
    random.chance(0.2) ? null : ["billing", "bug", "login", "api", "how-to"].filter(() => random.chance(0.35)),
  ] as const;
});

const rates = ["USD", "JPY"].flatMap((currency) =>
  Array.from({ length: 40 }, (_, index) => dayAfter("2022-12-01", index * 13))
    .filter(() => random.chance(0.9))
    .map(
      (day) =>
        [
          currency,
          day,
          currency === "USD"
            ? `0.${between(random, 89, 95)}${between(random, 10_000_000, 99_999_999)}`
            : `0.006${between(random, 1_000_000, 9_999_999)}`,
        ] as const,
    ),
);

export const SAAS: CorpusSchema = {
  name: "saas",
  tables: [
    table(
      "plans",
      {
        plan_code: "text NOT NULL",
        name: "text",
        monthly_price: "numeric(10,2)",
        seats_included: "integer",
        features: "text[]",
        limits: "jsonb",
        retired_on: "date",
      },
      { key: "plan_code", rows: PLANS },
    ),
    table(
      "accounts",
      {
        id: "uuid NOT NULL",
        name: "text",
        country: "text",
        signed_up_at: "timestamptz",
        tags: "text[]",
        settings: "jsonb",
        owner_email: "text",
        referred_by: "uuid",
        is_test: "boolean",
      },
      {
        key: "id",
        references: ["referred_by → accounts.id"],
        rows: accounts.map(
          (account, index) =>
            [
              account.id,
              account.name,
              account.country,
              instant(account.signedUp),
              account.tags === null ? null : account.tags,
              account.settings,
              account.email,
              index > 5 && index % 3 === 0 ? (accounts[index % 7]?.id ?? null) : null,
              account.test,
            ] as const,
        ),
      },
    ),
    table(
      "subscriptions",
      {
        id: "uuid NOT NULL",
        account_id: "uuid",
        plan_code: "text",
        seats: "integer",
        started_on: "date",
        ended_on: "date",
        billing_period: "text",
        discount_pct: "numeric(5,2)",
        trial_ends_on: "date",
        cancel_reason: "text",
      },
      {
        key: "id",
        references: ["account_id → accounts.id", "plan_code → plans.plan_code"],
        rows: subscriptions.map(
          (each) =>
            [
              each.id,
              each.account.id,
              each.plan,
              each.seats,
              each.start,
              each.end,
              each.period,
              each.discount,
              each.trialEnd,
              each.reason,
            ] as const,
        ),
      },
    ),
    table(
      "invoices",
      {
        invoice_no: "text NOT NULL",
        account_id: "uuid",
        subscription_id: "uuid",
        issued_on: "date",
        due_on: "date",
        paid_at: "timestamptz",
        currency: "text",
        subtotal: "numeric(12,2)",
        tax: "numeric(12,2)",
        status: "text",
        meta: "jsonb",
      },
      {
        key: "invoice_no",
        references: ["account_id → accounts.id", "subscription_id → subscriptions.id"],
        rows: invoices.map(
          (each) =>
            [
              each.number,
              each.subscription.account.id,
              each.subscription.id,
              each.issued,
              each.due,
              each.paid === null ? null : instant(each.paid),
              each.currency,
              decimal(each.cents, 2),
              each.tax,
              each.status,
              each.meta,
            ] as const,
        ),
      },
    ),
    table(
      "invoice_items",
      {
        invoice_no: "text NOT NULL",
        position: "smallint NOT NULL",
        description: "text",
        quantity: "numeric(10,3)",
        unit_price: "numeric(12,4)",
        kind: "text",
      },
      { key: ["invoice_no", "position"], references: ["invoice_no → invoices.invoice_no"], rows: invoiceItems },
    ),
    table(
      "events",
      {
        id: "bigint NOT NULL",
        account_id: "uuid",
        user_email: "text",
        name: "text",
        occurred_at: "timestamptz",
        props: "jsonb",
        session_id: "uuid",
      },
      { key: "id", references: ["account_id → accounts.id"], rows: events },
    ),
    table(
      "tickets",
      {
        id: "integer NOT NULL",
        account_id: "uuid",
        opened_at: "timestamptz",
        first_reply_at: "timestamptz",
        closed_at: "timestamptz",
        priority: "text",
        subject: "text",
        satisfaction: "smallint",
        tags: "text[]",
      },
      { key: "id", references: ["account_id → accounts.id"], rows: tickets },
    ),
    table(
      "exchange_rates",
      { currency: "text NOT NULL", day: "date NOT NULL", rate: "numeric(38,10)" },
      { key: ["currency", "day"], rows: rates },
    ),
  ],
};
