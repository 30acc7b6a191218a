/** The page: budgets first, then the machine, then one section per subject. */
import type { Budget, Section } from "../subject.ts";
import type { Fact } from "./machine.ts";

/** A finished subject, with how busy others kept the machine's cores right before it (0 to 1) and how long it took. */
export interface Entry {
  readonly section: Section;
  readonly foreignLoad: number;
  readonly seconds: number;
}

export interface PageOptions {
  readonly facts: readonly Fact[];
  readonly entries: readonly Entry[];
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

const INTRODUCTION = `# Benchmarks

<!-- Written by \`npm run bench\`; edits are lost. -->

Measured by \`npm run bench\`, everything on one machine: load generator, Worker, sidecar and source share its cores, all
network is loopback. \`npm run bench -- NAME\` runs one subject and prints its section without touching this page. Nothing
here ran on Cloudflare: the Worker runs in plain \`workerd\`, which has the same engine but enforces none of the platform's
limits of memory, CPU and connections.`;

const NOT_SHOWN = `## What none of this shows

* Real networks: a source a millisecond away adds that millisecond several times per new connection (TCP, TLS, login).
* TLS to the source: all connections here are plain, on loopback.
* Cloudflare's own scheduling, isolate start, and limits.
* Other machines: these are two virtual cores of a shared host. Compare runs of one machine, not machines.`;

export function page({ facts, entries }: PageOptions): string {
  const budgets = entries.flatMap(({ section }) => section.budgets);
  return `${[
    INTRODUCTION,
    `## Budgets\n\nTimes are ratios within one run, so that they hold on every machine.\n\n${budgetTable(budgets)}`,
    `## Machine and versions\n\n${table(["", ""], facts)}`,
    ...entries.map(sectionText),
    NOT_SHOWN,
  ].join("\n\n")}\n`;
}

export function sectionText({ section, foreignLoad, seconds }: Entry): string {
  const busy = `${(foreignLoad * 100).toFixed(0)} %`;
  return `## ${section.title}\n\nTook ${seconds.toFixed(0)} s. Right before it, others kept ${busy} of the cores busy.\n\n${section.text}`;
}

export function budgetTable(budgets: readonly Budget[]): string {
  const rows = budgets.map(({ what, target, measured, met, reason }) => [
    what,
    target,
    measured,
    met ? "met" : `**missed**: ${reason}`,
  ]);
  return table(["Budget", "Target", "Measured", ""], rows);
}
