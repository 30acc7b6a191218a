/** Canonical values (src/result/types.ts) as the comparator takes them. */
import { dateText } from "../../src/result/text/date.ts";
import type { Column, LogicalType, ResultStream, Value } from "../../src/result/types.ts";
import type { ActualCell, ActualRows } from "./comparator.ts";

export async function readCells(stream: ResultStream): Promise<{ columns: readonly Column[]; rows: ActualRows }> {
  const rows: ActualCell[][] = [];
  for await (const batch of stream.batches) {
    for (const row of batch) rows.push(row.map((value, index) => cell(value, stream.columns[index]!.type)));
  }
  return { columns: stream.columns, rows };
}

const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;

function cell(value: Value, type: LogicalType): ActualCell {
  if (value === null) return null;
  if (value === "infinity" || value === "-infinity") return value;
  switch (type.kind) {
    case "date":
      if (!Number.isFinite(value)) return dateText(Number(value));
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
    case "time":
      return Number(value) / Number(PER_SECOND[type.unit]);
    case "timestamp": {
      const perSecond = PER_SECOND[type.unit];
      const units = value as bigint;
      const fraction = ((units % perSecond) + perSecond) % perSecond;
      const seconds = Number((units - fraction) / perSecond);
      const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
      const digits = fraction
        .toString()
        .padStart(String(perSecond).length - 1, "0")
        .replace(/0+$/, "");
      return `${text}${digits === "" ? "" : `.${digits}`}${type.zone === undefined ? "" : "+00"}`;
    }
    case "list":
      return (value as readonly Value[]).map((each) => cell(each, type.element));
    case "binary":
      return `\\x${Buffer.from(value as Uint8Array).toString("hex")}`;
    default:
      return value as ActualCell;
  }
}
