/** Human resources: an organisation tree, employees with managers, salaries over time, leave, projects and skills. */
import { Random } from "../../../support/random-query.ts";
import { BOUNDARY_DAYS, dayAfter } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(1848);

const units: readonly (readonly Cell[])[] = [
  [1, "Company", null, null],
  [10, "Technology", 1, "T"],
  [11, "Platform", 10, "T-1"],
  [12, "Data & AI", 10, "T-2"],
  [13, "Research", 12, "T-2-a"],
  [20, "Sales", 1, "S"],
  [21, "Verkauf Süd", 20, "S-1"],
  [22, "Sales East", 20, "S-2"],
  [30, "Finance", 1, "F"],
  [40, "Dissolved", 1, ""],
];

const FIRST = ["Aoife", "Bruno", "Çağla", "Dana", "emil", "Fatou", "Göran", "HANS", "Ines", "Jun "] as const;
const LAST = ["Adams", "Brown", "de Vries", "Eriksson", "Ferrari", "Gómez", "Hall", "Brown"] as const;
const JOBS = ["engineer", "analyst", "manager", "clerk", "Engineer", "sales rep"] as const;

const employees = Array.from({ length: 140 }, (_, index): readonly Cell[] => {
  const hired = random.chance(0.12) ? random.pick(BOUNDARY_DAYS) : dayAfter("2012-01-01", random.below(4700));
  return [
    index + 1,
    random.pick(FIRST),
    random.pick(LAST),
    index < 4 ? "manager" : random.pick(JOBS),
    index === 0 ? 1 : random.pick([10, 11, 11, 12, 13, 20, 21, 22, 30, null]),
    index === 0 ? null : index < 4 ? 1 : random.chance(0.04) ? null : 1 + random.below(Math.min(index, 40)),
    hired,
    random.chance(0.15) ? dayAfter(hired, 60 + random.below(2000)) : null,
    random.pick([1, 1, 1, 0.5, 0.8, 0.25]),
    random.chance(0.5)
      ? null
      : random.pick(["a.b@corp.example", "hr@corp.example", "EMIL@CORP.EXAMPLE", " x@corp.example "]),
    random.pick([["sql", "python"], ["sql"], [], null, ["go", "Sql", "k8s"], ["excel", "sql", "sap"]] as const),
  ];
});

const salaries: (readonly Cell[])[] = [];
for (const employee of employees) {
  if (random.chance(0.05)) continue;
  let from = employee[6] as string;
  let amount = 2400 + random.below(60) * 50;
  const steps = 1 + random.below(4);
  for (let step = 0; step < steps; step++) {
    const next = dayAfter(from, 200 + random.below(500));
    salaries.push([employee[0]!, from, step === steps - 1 ? null : next, amount, random.pick(["EUR", "EUR", "USD"])]);
    from = next;
    amount = Math.round(amount * random.pick([1, 1.03, 1.1, 0.95]) * 100) / 100;
  }
}

const leave = Array.from({ length: 420 }, (_, index): readonly Cell[] => {
  const from = random.chance(0.2) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-10-01", random.below(450));
  return [
    index + 1,
    1 + random.below(125),
    random.pick(["vacation", "vacation", "sick", "Sick", "parental", "unpaid"]),
    from,
    dayAfter(from, random.pick([0, 0, 1, 4, 9, 13])),
    random.chance(0.1) ? null : random.chance(0.85),
  ];
});

const projects: readonly (readonly Cell[])[] = [
  ["APOLLO", "Apollo (Mondlandung)", "2023-01-01", "2024-02-29", 120_000, 12],
  ["HERMES", "hermes", "2024-01-15", null, 80_000.5, 11],
  ["ZEUS", "Zeus; phase 2", "2024-03-31", "2024-12-31", null, 10],
  ["NIKE", "Nike", "2022-06-01", "2022-12-31", 0, 20],
  ["EMPTY", "never staffed", "2025-01-01", null, 1000, null],
];

const work = Array.from({ length: 650 }, (_, index): readonly Cell[] => [
  index + 1,
  1 + random.below(110),
  random.pick(["APOLLO", "HERMES", "HERMES", "ZEUS", "NIKE"]),
  random.chance(0.15) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-11-01", random.below(420)),
  random.pick([8, 7.5, 4, 0.25, 0, 10.75, 6]),
  random.chance(0.3) ? null : random.pick(["meeting", "Code review: #123", "bug #45, #46", "", "docs"]),
]);

export const HR: CorpusSchema = {
  name: "hr",
  tables: [
    table(
      "units",
      { unit_id: "integer NOT NULL", name: "text NOT NULL", parent_id: "integer", short: "text" },
      { key: "unit_id", references: ["parent_id → units.unit_id"], rows: units },
    ),
    table(
      "employees",
      {
        employee_id: "integer NOT NULL",
        first_name: "text NOT NULL",
        last_name: "text NOT NULL",
        job: "text NOT NULL",
        unit_id: "integer",
        manager_id: "integer",
        hired_on: "date NOT NULL",
        left_on: "date",
        part_time: "numeric(3,2) NOT NULL",
        email: "text",
        skills: "text[]",
      },
      {
        key: "employee_id",
        references: ["unit_id → units.unit_id", "manager_id → employees.employee_id"],
        rows: employees,
      },
    ),
    table(
      "salaries",
      {
        employee_id: "integer NOT NULL",
        from_day: "date NOT NULL",
        to_day: "date",
        monthly: "numeric(10,2) NOT NULL",
        currency: "varchar(3) NOT NULL",
      },
      { key: ["employee_id", "from_day"], references: ["employee_id → employees.employee_id"], rows: salaries },
    ),
    table(
      "absences",
      {
        absence_id: "integer NOT NULL",
        employee_id: "integer NOT NULL",
        kind: "text NOT NULL",
        first_day: "date NOT NULL",
        last_day: "date NOT NULL",
        approved: "boolean",
      },
      { key: "absence_id", references: ["employee_id → employees.employee_id"], rows: leave },
    ),
    table(
      "projects",
      {
        code: "varchar(10) NOT NULL",
        title: "text NOT NULL",
        starts_on: "date NOT NULL",
        ends_on: "date",
        budget: "numeric(12,2)",
        unit_id: "integer",
      },
      { key: "code", references: ["unit_id → units.unit_id"], rows: projects },
    ),
    table(
      "timesheets",
      {
        entry_id: "bigint NOT NULL",
        employee_id: "integer NOT NULL",
        project: "varchar(10) NOT NULL",
        worked_on: "date NOT NULL",
        hours: "numeric(5,2) NOT NULL",
        remark: "text",
      },
      {
        key: "entry_id",
        references: ["employee_id → employees.employee_id", "project → projects.code"],
        rows: work,
      },
    ),
  ],
};
