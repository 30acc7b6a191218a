import { columnFromArray, type DataType, tableFromColumns, tableToIPC } from "@uwdata/flechette";

/** Arrow by a library that shares nothing with the reader. */
export function arrow(columns: Readonly<Record<string, readonly [values: readonly unknown[], type: DataType]>>) {
  const made = Object.entries(columns).map(
    ([name, [values, type]]) => [name, columnFromArray([...values], type, { useBigInt: true })] as const,
  );
  const data = tableToIPC(tableFromColumns(Object.fromEntries(made)), { format: "stream" });
  if (data === null) throw new Error("no bytes");
  return data;
}
