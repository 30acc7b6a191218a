/** A university: departments, teachers, courses, students, their enrollments with grades, and attendance. */
import { Random } from "../../../support/random-query.ts";
import { BOUNDARY_DAYS, dayAfter, timeOn } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(1601);

const departments: readonly (readonly Cell[])[] = [
  [1, "MATH", "Mathematics", 1250000.5, "North"],
  [2, "PHYS", "Physics", 980000, "North"],
  [3, "HIST", "History", 0, "Old Town"],
  [4, "LING", "Linguistik & Übersetzung", null, "Old Town"],
  [5, "CHEM", "chemistry ", 1500000.25, ""],
  [6, "ARTS", "Fine Arts", 310000.75, null],
  [7, "NULL", "Undeclared", null, null],
];

const FIRST = ["Ana", "Björn", "Chloé", "Dmitri", "Eve", "Farid", "Grace", "Hana", "Igor", "李", "Ōta", "ana"] as const;
const LAST = [
  "Smith",
  "O'Neil",
  "García",
  "Müller",
  "de la Cruz",
  "Nguyễn",
  "Smith",
  "Lee",
  "van Dijk",
  "Ivanov",
] as const;

const teachers = Array.from({ length: 28 }, (_, index): readonly Cell[] => [
  100 + index,
  `${random.pick(FIRST)} ${random.pick(LAST)}`,
  index % 9 === 8 ? null : 1 + random.below(6),
  random.pick(["professor", "lecturer", "assistant", "Professor", null]),
  dayAfter("2009-09-01", random.below(5200)),
  random.chance(0.15) ? null : 32000 + random.below(600) * 100,
  index < 4 ? null : 100 + random.below(4),
]);

const courses = Array.from({ length: 36 }, (_, index): readonly Cell[] => {
  const department = 1 + (index % 6);
  return [
    index + 1,
    `${departments[department - 1]![1]}-${101 + 7 * index}`,
    random.pick(["Introduction to ", "Advanced ", "Seminar: ", "Topics in  "]) + departments[department - 1]![2],
    department,
    index % 7 === 6 ? null : 100 + random.below(28),
    random.pick([2, 3, 3, 4, 6, 0]),
    index % 5 === 0 || index < 2 ? null : 1 + random.below(index),
    random.pick(["{math,core}", "core", "", "elective;writing", "elective; lab ;online", null]),
  ];
});

const students = Array.from({ length: 140 }, (_, index): readonly Cell[] => {
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  return [
    1000 + index,
    first,
    last,
    random.chance(0.12)
      ? null
      : `${first}.${last.replaceAll(" ", "")}${index % 50}@${random.pick(["uni.edu", "UNI.EDU", "mail.example.org"])}`,
    random.chance(0.1)
      ? random.pick(["2004-02-29", "2000-02-29", "1999-12-31"])
      : dayAfter("1996-01-01", random.below(3600)),
    random.chance(0.08) ? null : 1 + random.below(7),
    random.chance(0.2) ? random.pick(BOUNDARY_DAYS.slice(0, 8)) : dayAfter("2020-09-01", random.below(1500)),
    random.pick(["DE", "FR", "US", "us", "JP", "BR", null]),
    random.chance(0.5),
    random.chance(0.3) ? null : random.pick([0, 150.5, -20, 1999.99, 320, 0.1]),
  ];
});

const TERMS = ["2022F", "2023S", "2023F", "2024S", "2024F"] as const;

const enrollments: (readonly Cell[])[] = [];
const taken = new Set<string>();
while (enrollments.length < 620) {
  // The last twenty students and the last three courses stay without.
  const [student, course, term] = [1000 + random.below(120), 1 + random.below(33), random.pick(TERMS)];
  if (taken.has(`${student} ${course} ${term}`)) continue;
  taken.add(`${student} ${course} ${term}`);
  const grade = random.chance(0.18) ? null : random.pick([0, 45, 50, 59.5, 60, 70, 72.5, 80, 80, 85, 90, 95.5, 100]);
  enrollments.push([
    enrollments.length + 1,
    student,
    course,
    term,
    grade,
    grade === null
      ? random.pick(["active", "withdrawn", "active"])
      : random.pick(["completed", "completed", "Completed"]),
    random.chance(0.15) ? random.pick(BOUNDARY_DAYS) : dayAfter("2022-08-20", random.below(860)),
  ]);
}

/** Scanned at the door: some twice, so there is no key. */
const attendance = Array.from({ length: 700 }, (): readonly Cell[] => {
  const day = random.chance(0.2) ? random.pick(BOUNDARY_DAYS) : dayAfter("2023-09-04", random.below(400));
  return [
    1 + random.below(620),
    day,
    random.pick(["present", "present", "present", "late", "absent", null]),
    random.chance(0.7) ? 0 : random.below(45),
    random.chance(0.1) ? null : timeOn(day, random.pick([0, 86_399, 8 * 3600 + random.below(36_000)])),
  ];
});

export const SCHOOL: CorpusSchema = {
  name: "school",
  tables: [
    table(
      "departments",
      {
        department_id: "integer NOT NULL",
        code: "varchar(8) NOT NULL",
        name: "text NOT NULL",
        budget: "numeric(12,2)",
        campus: "text",
      },
      { key: "department_id", rows: departments },
    ),
    table(
      "teachers",
      {
        teacher_id: "integer NOT NULL",
        full_name: "text NOT NULL",
        department_id: "integer",
        title: "text",
        hired_on: "date NOT NULL",
        salary: "integer",
        mentor_id: "integer",
      },
      {
        key: "teacher_id",
        references: ["department_id → departments.department_id", "mentor_id → teachers.teacher_id"],
        rows: teachers,
      },
    ),
    table(
      "courses",
      {
        course_id: "integer NOT NULL",
        code: "text NOT NULL",
        title: "text NOT NULL",
        department_id: "integer NOT NULL",
        teacher_id: "integer",
        credits: "smallint NOT NULL",
        prerequisite_id: "integer",
        tags: "text",
      },
      {
        key: "course_id",
        references: [
          "department_id → departments.department_id",
          "teacher_id → teachers.teacher_id",
          "prerequisite_id → courses.course_id",
        ],
        rows: courses,
      },
    ),
    table(
      "students",
      {
        student_id: "integer NOT NULL",
        first_name: "text NOT NULL",
        last_name: "text NOT NULL",
        email: "text",
        born_on: "date NOT NULL",
        major_id: "integer",
        enrolled_on: "date NOT NULL",
        country: "varchar(2)",
        is_fulltime: "boolean NOT NULL",
        balance: "numeric(10,2)",
      },
      { key: "student_id", references: ["major_id → departments.department_id"], rows: students },
    ),
    table(
      "enrollments",
      {
        enrollment_id: "bigint NOT NULL",
        student_id: "integer NOT NULL",
        course_id: "integer NOT NULL",
        term: "text NOT NULL",
        grade: "numeric(5,2)",
        status: "text NOT NULL",
        registered_on: "date NOT NULL",
      },
      {
        key: "enrollment_id",
        references: ["student_id → students.student_id", "course_id → courses.course_id"],
        rows: enrollments,
      },
    ),
    table(
      "attendance",
      {
        enrollment_id: "bigint NOT NULL",
        held_on: "date NOT NULL",
        mark: "text",
        minutes_late: "integer NOT NULL",
        scanned_at: "timestamp",
      },
      { references: ["enrollment_id → enrollments.enrollment_id"], rows: attendance },
    ),
  ],
};
