/** Web analytics: users, sessions, raw events with JSON payloads (some logged twice), campaigns and an experiment. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter, timeOn } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(404);

const COUNTRIES = ["US", "DE", "BR", "IN", "jp", null] as const;

const users = Array.from({ length: 150 }, (_, index): readonly Cell[] => {
  const signup = dayAfter("2024-01-01", random.below(300));
  return [
    `u${String(index + 1).padStart(4, "0")}`,
    random.chance(0.25) ? null : `${timeOn(signup, random.below(86_400))}+00`,
    random.pick(COUNTRIES),
    random.pick(["free", "free", "pro", "team", "Pro"]),
    random.pick([
      '{"lang": "en", "theme": "dark", "flags": {"beta": true}}',
      '{"lang": "de", "flags": {"beta": false, "news": true}}',
      '{"lang": "pt-BR", "theme": null}',
      '{"theme": "light", "lang": "日本語"}',
      "{}",
      null,
    ]),
  ];
});

const campaigns: readonly (readonly Cell[])[] = [
  ["spring", "2024-03-01", "2024-03-31", 5000, "{search,social}"],
  ["summer", "2024-06-15", "2024-08-31", 12_000.5, "{social}"],
  ["Black Friday", "2024-11-25", "2024-12-02", 30_000, "{search,email,social}"],
  ["evergreen", "2024-01-01", null, null, "{}"],
].map((row) => [
  ...row.slice(0, 4),
  (row[4] as string)
    .replace(/[{}]/g, "")
    .split(",")
    .filter((each) => each !== ""),
]);

const PATHS = [
  "/",
  "/pricing",
  "/docs/intro",
  "/docs/api?lang=en",
  "/signup",
  "/blog/2024/leap-day",
  "/Pricing",
  "/search?q=caf%C3%A9",
] as const;
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0) Chrome/124.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Safari/604.1",
  "Mozilla/5.0 (Macintosh) Firefox/125.0",
  "Googlebot/2.1 (+http://www.google.com/bot.html)",
  "",
  null,
] as const;

const sessions: (readonly Cell[])[] = [];
const events: (readonly Cell[])[] = [];
for (let id = 1; id <= 330; id++) {
  const day = random.chance(0.15)
    ? random.pick(["2024-02-29", "2024-03-31", "2024-12-31", "2024-10-27", "2024-01-01", "2024-12-30"])
    : dayAfter("2024-01-01", random.below(366));
  const begin = random.chance(0.1) ? 86_300 : random.below(86_400);
  const user = random.chance(0.25) ? null : users[random.below(135)]![0]!;
  const count = random.below(7);
  const length = random.below(2400);
  sessions.push([
    id,
    user,
    `${timeOn(day, begin)}+00`,
    random.chance(0.1) ? null : `${timeOn(day, begin + length)}+00`,
    random.pick(AGENTS),
    random.pick(["google", "direct", "newsletter", "Google", null, "t.co"]),
    random.chance(0.3) ? random.pick(["spring", "summer", "Black Friday", "evergreen"]) : null,
  ]);
  for (let at = 0; at < count; at++) {
    const kind = random.pick(["page_view", "page_view", "page_view", "click", "signup", "purchase", "error"]);
    const path = random.pick(PATHS);
    const payload = {
      page_view: `{"path": "${path}", "ms": ${random.below(3000)}}`,
      click: `{"path": "${path}", "target": {"id": "btn-${random.below(5)}", "text": ${random.pick(['"Buy now"', '"Kaufen"', "null"])}}}`,
      signup: `{"plan": "${random.pick(["free", "pro"])}", "referrer": null}`,
      purchase: `{"amount": ${random.pick(["9.99", "49", "0", "120.5", '"19.90"'])}, "currency": "${random.pick(["USD", "EUR"])}", "items": ${random.pick(["[1, 2]", "[7]", "[]", "[3, 3, 9]"])}}`,
      error: random.pick([
        '{"code": 500, "message": "Internal \\"oops\\""}',
        '{"code": 404, "message": ""}',
        "null",
        "{}",
      ]),
    }[kind];
    const row: readonly Cell[] = [
      id,
      user,
      `${timeOn(day, begin + Math.floor((length * at) / Math.max(count, 1)))}+00`,
      kind,
      random.chance(0.03) ? null : (payload ?? null),
    ];
    events.push(row);
    if (random.chance(0.03)) events.push(row);
  }
}

const assignments = users
  .filter(() => random.chance(0.7))
  .map((user): readonly Cell[] => [
    user[0]!,
    "checkout",
    random.pick(["control", "variant", "variant "]),
    dayAfter("2024-05-01", random.below(60)),
  ]);

export const EVENTS: CorpusSchema = {
  name: "events",
  tables: [
    table(
      "users",
      {
        user_id: "text NOT NULL",
        signed_up_at: "timestamptz",
        country: "text",
        plan: "text NOT NULL",
        settings: "jsonb",
      },
      { key: "user_id", rows: users },
    ),
    table(
      "campaigns",
      {
        name: "text NOT NULL",
        from_day: "date NOT NULL",
        to_day: "date",
        budget: "numeric(12,2)",
        channels: "text[] NOT NULL",
      },
      { key: "name", rows: campaigns },
    ),
    table(
      "sessions",
      {
        session_id: "bigint NOT NULL",
        user_id: "text",
        started_at: "timestamptz NOT NULL",
        ended_at: "timestamptz",
        agent: "text",
        referrer: "text",
        campaign: "text",
      },
      { key: "session_id", references: ["user_id → users.user_id", "campaign → campaigns.name"], rows: sessions },
    ),
    table(
      "events",
      {
        session_id: "bigint NOT NULL",
        user_id: "text",
        at: "timestamptz NOT NULL",
        kind: "text NOT NULL",
        payload: "jsonb",
      },
      { references: ["session_id → sessions.session_id"], rows: events },
    ),
    table(
      "assignments",
      { user_id: "text NOT NULL", experiment: "text NOT NULL", variant: "text NOT NULL", assigned_on: "date NOT NULL" },
      { key: ["user_id", "experiment"], references: ["user_id → users.user_id"], rows: assignments },
    ),
  ],
};
