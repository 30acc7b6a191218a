/** Reads the manifest's old kinds of objects. */
import type { JsonReader } from "../manifest/json.ts";
import { type CumulativeMetricData, type DateSpineData, DEFAULT_SPINE } from "./cumulative-metrics.ts";
import type { EnumData } from "./enums.ts";
import type { MacroData } from "./macros.ts";
import type { MetricColumnData, MetricData } from "./metrics.ts";

export function readMetric(reader: JsonReader): MetricData {
  const metric = reader.object("metric");
  const column = (item: JsonReader): MetricColumnData => {
    const data = item.object("metricColumn");
    return { name: data.member("name").string(), expression: data.member("expression").optionalString() };
  };
  return {
    name: metric.member("name").string(),
    baseObject: metric.member("baseObject").string(),
    dimensions: metric.member("dimension").list(column),
    measures: metric.member("measure").list(column),
    timeGrains: metric.member("timeGrain").list((item) => {
      const grain = item.object("timeGrain");
      return {
        name: grain.member("name").string(),
        refColumn: grain.member("refColumn").string(),
        dateParts: grain.member("dateParts").list((part) => part.string().toUpperCase()),
      };
    }),
  };
}

export function readCumulativeMetric(reader: JsonReader): CumulativeMetricData {
  const metric = reader.object("cumulativeMetric");
  const measure = metric.member("measure").object("cumulativeMeasure");
  const window = metric.member("window").object("window");
  return {
    name: metric.member("name").string(),
    baseObject: metric.member("baseObject").string(),
    measure: {
      name: measure.member("name").string(),
      operator: measure.member("operator").string(),
      refColumn: measure.member("refColumn").string(),
    },
    window: {
      name: window.member("name").string(),
      refColumn: window.member("refColumn").string(),
      timeUnit: window.member("timeUnit").string(),
      start: window.member("start").string(),
      end: window.member("end").string(),
    },
  };
}

export function readDateSpine(reader: JsonReader): DateSpineData {
  const spine = reader.object("dateSpine");
  return {
    unit: spine.member("unit").optionalString() ?? DEFAULT_SPINE.unit,
    start: spine.member("start").optionalString() ?? DEFAULT_SPINE.start,
    end: spine.member("end").optionalString() ?? DEFAULT_SPINE.end,
  };
}

export function readMacro(reader: JsonReader): MacroData {
  const macro = reader.object("macro");
  return { name: macro.member("name").string(), definition: macro.member("definition").string() };
}

export function readEnum(reader: JsonReader): EnumData {
  const data = reader.object("enum");
  return {
    name: data.member("name").string(),
    values: data.member("values").list((item) => {
      const value = item.object("enumValue");
      return { name: value.member("name").string(), value: value.member("value").optionalString() };
    }),
  };
}
