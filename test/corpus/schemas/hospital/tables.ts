/** A hospital: wards, doctors, patients, stays that may still last, diagnoses, laboratory results and prescriptions. */
import { Random } from "../../../support/random-query.ts";
import { BOUNDARY_DAYS, dayAfter, timeOn } from "../../calendar.ts";
import { type Cell, type CorpusSchema, table } from "../../tables.ts";

const random = new Random(911);

const wards: readonly (readonly Cell[])[] = [
  ["CARD", "Cardiology", 12, 2],
  ["NEUR", "Neurology", 8, 3],
  ["PED", "Pediatrics", 10, 1],
  ["ONC", "Onkologie", 6, 4],
  ["ER", "Emergency ", 5, 0],
  ["GER", "Geriatrics", 0, null],
];

const doctors = Array.from({ length: 24 }, (_, index): readonly Cell[] => [
  index + 1,
  `Dr. ${random.pick(["Hélène", "Omar", "Ingrid", "Per", "Siân"])} ${random.pick(["Zhao", "Ó Briain", "Kovač", "Smith-Jones", "Abdi"])}`,
  index === 23 ? null : random.pick(["CARD", "NEUR", "PED", "ONC", "ER"]),
  random.pick(["consultant", "resident", "Resident", "chief"]),
  random.chance(0.3) ? null : `+44 20 7946 0${String(100 + index)}`,
]);

const patients = Array.from({ length: 130 }, (_, index): readonly Cell[] => [
  5000 + index,
  random.pick(["Anna", "JOHN", "Maëlle", "li", "Mohammed", "Zoë", "Peter ", "Anna"]),
  random.pick(["Baker", "Żak", "von Berg", "N'Dour", "Baker", "Singh"]),
  random.pick(["f", "m", "m", "f", "x", null]),
  random.chance(0.12)
    ? random.pick(["2016-02-29", "1948-02-29", "1999-12-31", "2000-01-01"])
    : dayAfter("1935-01-01", random.below(31_000)),
  random.pick(["A+", "A-", "B+", "0+", "0-", "AB+", null, "0+"]),
  random.chance(0.2) ? null : random.pick(["penicillin", "Penicillin, nuts", "none", "", "latex;pollen", "nuts"]),
  random.chance(0.1) ? null : 45 + random.below(800) / 10,
  random.chance(0.1) ? null : 145 + random.below(50),
]);

const stays: (readonly Cell[])[] = [];
const diagnoses: (readonly Cell[])[] = [];
const CODES = ["I21.4", "I10", "E11.9", "G40.9", "C50", "J45", "S72.0", "i10", "Z00"] as const;
for (let id = 1; id <= 260; id++) {
  const day = random.chance(0.12) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-06-01", random.below(560));
  const start = timeOn(day, random.below(86_400));
  const open = random.chance(0.08);
  const end = open ? null : timeOn(day, random.below(86_400) + 3_600 + random.pick([0, 0, 1, 3, 7, 30]) * 86_400);
  stays.push([
    id,
    5000 + random.below(118),
    random.pick(["CARD", "NEUR", "PED", "ONC", "ER", "ER"]),
    random.chance(0.06) ? null : 1 + random.below(22),
    start,
    end !== null && end < start ? timeOn(day, 2 * 86_400) : end,
    random.pick(["emergency", "planned", "transfer", "Planned"]),
    random.chance(0.2) ? null : random.pick([0, 120.5, 980, 15_000.75, 2300, 450.1]),
  ]);
  const used = new Set<string>();
  for (let rank = 1; rank <= random.below(4); rank++) {
    const code = random.pick(CODES);
    if (used.has(code)) continue;
    used.add(code);
    diagnoses.push([id, rank, code, random.chance(0.3)]);
  }
}

const TESTS = ["glucose", "hemoglobin", "sodium", "crp"] as const;
const labs = Array.from({ length: 900 }, (_, index): readonly Cell[] => {
  const test = random.pick(TESTS);
  const day = random.chance(0.1) ? random.pick(BOUNDARY_DAYS.slice(0, 12)) : dayAfter("2023-06-01", random.below(570));
  const value = {
    glucose: 4 + random.below(90) / 10,
    hemoglobin: 80 + random.below(90),
    sodium: 128 + random.below(20),
    crp: random.below(300) / 4,
  }[test];
  return [
    index + 1,
    5000 + random.below(118),
    test,
    random.chance(0.07) ? null : value,
    timeOn(day, random.below(86_400)),
    random.pick(["ok", "ok", "hemolyzed", "", null]),
  ];
});

const prescriptions = Array.from({ length: 300 }, (_, index): readonly Cell[] => {
  const start = random.chance(0.15)
    ? random.pick(BOUNDARY_DAYS.slice(0, 12))
    : dayAfter("2023-06-01", random.below(570));
  return [
    index + 1,
    5000 + random.below(118),
    1 + random.below(23),
    random.pick(["Aspirin 100mg", "aspirin 100 MG", "Metformin 850mg", "Ibuprofen 400mg", "Insulin", "Paracetamol 1g"]),
    random.pick(["1-0-1", "1-1-1", "0-0-1", "as needed", null]),
    start,
    random.chance(0.15) ? null : dayAfter(start, random.pick([0, 5, 10, 30, 90])),
  ];
});

export const HOSPITAL: CorpusSchema = {
  name: "hospital",
  tables: [
    table(
      "wards",
      { code: "varchar(6) NOT NULL", name: "text NOT NULL", beds: "integer NOT NULL", floor: "integer" },
      { key: "code", rows: wards },
    ),
    table(
      "doctors",
      {
        doctor_id: "integer NOT NULL",
        full_name: "text NOT NULL",
        ward: "varchar(6)",
        grade: "text NOT NULL",
        phone: "text",
      },
      { key: "doctor_id", references: ["ward → wards.code"], rows: doctors },
    ),
    table(
      "patients",
      {
        patient_id: "integer NOT NULL",
        first_name: "text NOT NULL",
        last_name: "text NOT NULL",
        sex: "varchar(1)",
        born_on: "date NOT NULL",
        blood_group: "text",
        allergies: "text",
        weight_kg: "double precision",
        height_cm: "integer",
      },
      { key: "patient_id", rows: patients },
    ),
    table(
      "stays",
      {
        stay_id: "integer NOT NULL",
        patient_id: "integer NOT NULL",
        ward: "varchar(6) NOT NULL",
        doctor_id: "integer",
        admitted_at: "timestamp NOT NULL",
        discharged_at: "timestamp",
        kind: "text NOT NULL",
        cost: "numeric(12,2)",
      },
      {
        key: "stay_id",
        references: ["patient_id → patients.patient_id", "ward → wards.code", "doctor_id → doctors.doctor_id"],
        rows: stays,
      },
    ),
    table(
      "diagnoses",
      { stay_id: "integer NOT NULL", rank: "smallint NOT NULL", icd: "text NOT NULL", confirmed: "boolean NOT NULL" },
      { key: ["stay_id", "rank"], references: ["stay_id → stays.stay_id"], rows: diagnoses },
    ),
    table(
      "labs",
      {
        lab_id: "integer NOT NULL",
        patient_id: "integer NOT NULL",
        test: "text NOT NULL",
        value: "double precision",
        taken_at: "timestamp NOT NULL",
        remark: "text",
      },
      { key: "lab_id", references: ["patient_id → patients.patient_id"], rows: labs },
    ),
    table(
      "prescriptions",
      {
        prescription_id: "integer NOT NULL",
        patient_id: "integer NOT NULL",
        doctor_id: "integer NOT NULL",
        drug: "text NOT NULL",
        dose: "text",
        from_day: "date NOT NULL",
        to_day: "date",
      },
      {
        key: "prescription_id",
        references: ["patient_id → patients.patient_id", "doctor_id → doctors.doctor_id"],
        rows: prescriptions,
      },
    ),
  ],
};
