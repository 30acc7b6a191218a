/** A football league: every name in quotes with capitals and blanks, small integers, two references to one table. */
import { Random } from "../../../support/random-query.ts";
import { dayAfter } from "../../calendar.ts";
import { between, decimal, minutesAfter } from "../../made-values.ts";
import { type CorpusSchema, table } from "../../tables.ts";

const random = new Random(9003);

const TEAMS = [
  [1, "FC Nordstern", "Hamburg", 1899, "Am Deich", 18_500, "FCN"],
  [2, "Real Vega", "Vigo", 1923, "Estadio O'Porto", 31_000, "RVE"],
  [3, "Ænir IF", "Århus", 1931, "Fjord Arena", null, "ÆIF"],
  [4, "Sporting Łazy", "Łazy", 1946, 'Stadion "Zorza"', 9_250, "SŁA"],
  [5, "United Quays", "Leith", 1888, "Dock Road", 24_000, "UQU"],
  [6, "Olympique Sète", "Sète", 1914, null, 12_750, "OSE"],
  [7, "Dinamo Zvezda", "Niš", 1950, "Čair", 18_500, "DZV"],
  [8, "Ghost Rovers", "Nowhere", null, null, null, null],
] as const;

const SEASONS = [
  [21, "2021/22", "2021-08-13", "2022-05-22"],
  [22, "2022/23", "2022-08-12", "2023-06-04"],
  [23, "2023/24", "2023-08-18", "2024-05-26"],
] as const;

const FIRST = ["Ana", "Björn", "Carlos", "Dmitri", "Éric", "Fumio", "Gábor", "Hal", "Iñaki", "João"];
const LAST = [
  "O'Neill",
  "Müller",
  "da Silva",
  "Nowak",
  "Smith",
  "Smith-Jones",
  "van der Berg",
  "Sato",
  "Ångström",
  "Ruiz",
];

const players = Array.from(
  { length: 84 },
  (_, index) =>
    [
      1000 + index,
      random.chance(0.03) ? null : random.pick(FIRST),
      random.pick(LAST),
      random.chance(0.04) ? null : dayAfter("1986-02-28", between(random, 0, 7300)),
      random.pick(["GK", "DF", "DF", "MF", "MF", "FW"]),
      random.chance(0.1) ? null : between(random, 165, 201),
      random.chance(0.1) ? null : decimal(between(random, 5800, 9800), 2),
      random.pick(["DE", "ES", "DK", "PL", "SC", "FR", "RS", "JP"]),
      random.pick(["left", "right", "right", "both", null]),
    ] as const,
);

const contracts = players.flatMap(([player], index) => {
  const first = (index % 7) + 1;
  const wage = () => decimal(between(random, 80_000, 9_500_000), 2);
  if (random.chance(0.7))
    return [[player, first, "2021-07-01", random.chance(0.3) ? null : "2025-06-30", wage(), false] as const];
  const moved = random.pick(["2022-07-01", "2023-01-31", "2023-07-01"]);
  return [
    [player, first, "2021-07-01", dayAfter(moved, -1), wage(), false] as const,
    [player, (first % 7) + 1, moved, random.chance(0.5) ? null : "2024-06-30", wage(), random.chance(0.4)] as const,
  ];
});

const pairs = (teams: readonly number[]) =>
  teams.flatMap((home) => teams.filter((away) => away !== home).map((away) => [home, away] as const));

const matches = SEASONS.flatMap(([season, , starts]) =>
  pairs([1, 2, 3, 4, 5, 6, 7]).map(([home, away], index) => {
    const round = Math.floor(index / 3) + 1;
    const played = season < 23 || round <= 9;
    return {
      id: season * 1000 + index + 1,
      season,
      round,
      kickOff: minutesAfter(`${dayAfter(starts, round * 14)} 13:30:00`, (index % 3) * 150),
      home,
      away,
      homeGoals: played ? random.pick([0, 0, 1, 1, 1, 2, 2, 3, 4]) : null,
      awayGoals: played ? random.pick([0, 0, 0, 1, 1, 1, 2, 3]) : null,
      attendance: played && !random.chance(0.08) ? between(random, 1_200, 31_000) : null,
      referee: random.pick(["A. Turpin", "B. Kuipers ", "c. çakır", null, "D. Webb"]),
      played,
    };
  }),
);

const squad = (team: number) => players.filter((_, index) => (index % 7) + 1 === team).map(([id]) => id);

const goals = matches.flatMap((match) => {
  const scored = [
    ...Array.from({ length: match.homeGoals ?? 0 }, () => match.home),
    ...Array.from({ length: match.awayGoals ?? 0 }, () => match.away),
  ];
  return scored
    .map((team) => [between(random, 1, 95), team] as const)
    .sort(([a], [b]) => a - b)
    .map(([minute, team], index) => {
      const own = random.chance(0.04);
      const rival = team === match.home ? match.away : match.home;
      return [
        match.id,
        index + 1,
        minute,
        random.chance(0.02) ? null : random.pick(squad(own ? rival : team)),
        team,
        !own && random.chance(0.1),
        own,
      ] as const;
    });
});

const appearances = matches
  .filter((match) => match.played && match.season > 21)
  .flatMap((match) =>
    [match.home, match.away].flatMap((team) =>
      squad(team)
        .slice(0, 9)
        .filter(() => random.chance(0.7))
        .map((player, index) => {
          const starter = index < 6;
          return [
            match.id,
            player,
            starter ? random.pick([90, 90, 90, 62, 75]) : between(random, 1, 40),
            starter,
            random.pick([0, 0, 0, 0, 1, 2]),
            random.chance(0.02),
            random.chance(0.1) ? null : between(random, 16, 40) / 4,
          ] as const;
        }),
    ),
  );

const transfers = contracts
  .filter(([, , from]) => from !== "2021-07-01")
  .map(
    ([player, team, from], index) =>
      [
        index + 1,
        player,
        random.chance(0.15) ? null : team === 1 ? 7 : team - 1,
        team,
        from,
        random.chance(0.25)
          ? null
          : random.chance(0.1)
            ? "0.00"
            : decimal(between(random, 1_000_000, 4_200_000_000), 2),
      ] as const,
  );

export const LEAGUE: CorpusSchema = {
  name: "league",
  tables: [
    table(
      "Team",
      {
        TeamId: "smallint NOT NULL",
        Name: "text",
        City: "text",
        Founded: "smallint",
        "Stadium Name": "text",
        Capacity: "integer",
        "Short Code": "text",
      },
      { key: "TeamId", rows: TEAMS },
    ),
    table(
      "Season",
      { SeasonId: "integer NOT NULL", Label: "text", StartsOn: "date", EndsOn: "date" },
      { key: "SeasonId", rows: SEASONS },
    ),
    table(
      "Player",
      {
        PlayerId: "integer NOT NULL",
        "First Name": "text",
        "Last Name": "text",
        BirthDate: "date",
        Position: "text",
        HeightCm: "smallint",
        WeightKg: "numeric(5,2)",
        Nationality: "text",
        Foot: "text",
      },
      { key: "PlayerId", rows: players },
    ),
    table(
      "Contract",
      {
        PlayerId: "integer NOT NULL",
        TeamId: "smallint NOT NULL",
        From: "date NOT NULL",
        To: "date",
        WeeklyWage: "numeric(12,2)",
        Loan: "boolean",
      },
      {
        key: ["PlayerId", "TeamId", "From"],
        references: ["PlayerId → Player.PlayerId", "TeamId → Team.TeamId"],
        rows: contracts,
      },
    ),
    table(
      "Match",
      {
        MatchId: "integer NOT NULL",
        SeasonId: "integer",
        Round: "smallint",
        KickOff: "timestamp",
        HomeTeamId: "smallint",
        AwayTeamId: "smallint",
        HomeGoals: "smallint",
        AwayGoals: "smallint",
        Attendance: "integer",
        Referee: "text",
        Played: "boolean",
      },
      {
        key: "MatchId",
        references: ["SeasonId → Season.SeasonId", "HomeTeamId → Team.TeamId", "AwayTeamId → Team.TeamId"],
        rows: matches.map(
          (each) =>
            [
              each.id,
              each.season,
              each.round,
              each.kickOff,
              each.home,
              each.away,
              each.homeGoals,
              each.awayGoals,
              each.attendance,
              each.referee,
              each.played,
            ] as const,
        ),
      },
    ),
    table(
      "Goal",
      {
        MatchId: "integer NOT NULL",
        GoalNo: "smallint NOT NULL",
        Minute: "smallint",
        PlayerId: "integer",
        TeamId: "smallint",
        Penalty: "boolean",
        "Own Goal": "boolean",
      },
      {
        key: ["MatchId", "GoalNo"],
        references: ["MatchId → Match.MatchId", "PlayerId → Player.PlayerId", "TeamId → Team.TeamId"],
        rows: goals,
      },
    ),
    table(
      "Appearance",
      {
        MatchId: "integer NOT NULL",
        PlayerId: "integer NOT NULL",
        Minutes: "smallint",
        Starter: "boolean",
        Yellow: "smallint",
        Red: "boolean",
        Rating: "real",
      },
      {
        key: ["MatchId", "PlayerId"],
        references: ["MatchId → Match.MatchId", "PlayerId → Player.PlayerId"],
        rows: appearances,
      },
    ),
    table(
      "Transfer",
      {
        TransferId: "integer NOT NULL",
        PlayerId: "integer",
        FromTeamId: "smallint",
        ToTeamId: "smallint",
        On: "date",
        Fee: "numeric(14,2)",
      },
      {
        key: "TransferId",
        references: ["PlayerId → Player.PlayerId", "FromTeamId → Team.TeamId", "ToTeamId → Team.TeamId"],
        rows: transfers,
      },
    ),
  ],
};
