/** The chart of a whole answer, or why it has none. */
import { useState } from "preact/hooks";
import { ChartView } from "./chart.tsx";
import { type ChartKind, chartOf } from "./chart-data.ts";
import { answer } from "./state.ts";

export function ChartPanel() {
  const [wanted, choose] = useState<ChartKind>();
  const of = answer.value;
  if (!("rows" in of) || of.kind === "running") return <p class="note">Run a question first.</p>;
  if (of.kind !== "whole") return <p class="note">The answer is not whole, and a chart of it would mislead.</p>;
  const choice = chartOf(of.columns, of.rows, wanted);
  if ("why" in choice) return <p class="note">No chart suits this answer. {choice.why}</p>;
  return <ChartView chart={choice.chart} choose={choose} />;
}
