/** Cost of the Model Context Protocol over the same request of the API, and of the first call of a fresh isolate. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshWorkers } from "../../scripts/service/worker-bundle.ts";
import { messageOf } from "../../test/mcp/mcp-app.ts";
import { startMcpService } from "../../test/mcp/mcp-service.ts";
import { descendantsOf } from "../../test/support/service.ts";
import { table } from "../notebook/page.ts";
import { cpuMilliseconds } from "../rig/cpu-time.ts";
import { startWorkerd } from "../rig/workerd.ts";
import { type Run, ratioBudget, type Section } from "../subject.ts";

const MODELS = 100;
const COLUMNS = 30;
const WARM_UP = 200;
const CALLS = 400;
/** Milliseconds of CPU. */
const BUDGETS = { search: 5, more: 2.5, first: 8 } as const;

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: Array.from({ length: MODELS }, (_, model) => ({
    name: `model_${model}`,
    tableReference: { schema: "public", table: `t${model}` },
    description: `Model ${model}, of orders and what belongs to them.`,
    columns: Array.from({ length: COLUMNS }, (_, column) => ({
      name: `column_${column}_of_${model}`,
      type: "VARCHAR",
      description: `The amount ${column} of model ${model}.`,
    })),
  })),
};
const CONNECTION = { host: "127.0.0.1", port: "1", user: "u", password: "p", database: "d" };

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function agents(run: Run): Promise<Section> {
  const project = { dataSource: "postgres", connectionInfo: CONNECTION, manifest: MANIFEST } as const;
  const service = await startMcpService({ bench: project });
  run.onEnd(() => service.close());
  const workerd = descendantsOf(service.pid).find(({ command }) => command.includes("workerd.capnp"));
  if (workerd === undefined) throw new Error("The service has no workerd.");
  const cost = async ({ path, ...init }: Asked, calls: number): Promise<number> => {
    const before = cpuMilliseconds(workerd.pid);
    for (let call = 0; call < calls; call++) {
      const response = await fetch(service.url + path, { method: "POST", ...init });
      const text = await response.text();
      if (response.status !== 200 || text.includes('"isError":true')) throw new Error(`${response.status} ${text}`);
    }
    return (cpuMilliseconds(workerd.pid) - before) / calls;
  };
  const direct = (use: string, given: object): Asked => ({
    path: `/v3/projects/bench/${use}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given),
  });
  const tool = (name: string, given: Record<string, unknown>): Asked => ({
    path: "/mcp/bench",
    ...messageOf("", "tools/call", { name, arguments: given }),
  });
  const question = { question: "amount of orders of model 7" };
  await cost(direct("search", question), 20);
  const first = await cost({ path: "/mcp/bench", ...messageOf("", "tools/list") }, 1);

  const trivial = join(run.directory, "trivial.js");
  writeFileSync(trivial, "export default { fetch: () => new Response('ok') };");
  /** A process with one Worker, up to the end of its first request. */
  const alone = async (name: string, file: string): Promise<number> => {
    const { pid, urls } = await startWorkerd(run, [{ name, file }]);
    await (await fetch(`${urls[name]}/`)).text();
    return cpuMilliseconds(pid);
  };
  const emptyFirst = await alone("trivial", trivial);
  const mcpFirst = await alone("mcp", (await freshWorkers()).mcp);

  for (const asked of [direct("search", question), tool("search", question)]) await cost(asked, WARM_UP);
  const [api, mcp] = [await cost(direct("search", question), CALLS), await cost(tool("search", question), CALLS)];
  const list = await cost({ path: "/mcp/bench", ...messageOf("", "tools/list") }, CALLS);
  const describe = await cost(tool("describe", { names: ["model_1"] }), CALLS);
  const ms = (value: number): string => value.toFixed(2);
  return {
    title: "Agents",
    budgets: [
      {
        what: `\`search\` of an agent, warm, ${MODELS} models of ${COLUMNS} columns`,
        target: `≤ ${BUDGETS.search} ms of CPU`,
        measured: `${ms(mcp)} ms`,
        met: mcp <= BUDGETS.search,
        reason: "look for words that are cut again (`service/projects/search.ts`) or a catalogue that is made again",
      },
      {
        what: "A tool call over the same request of the API",
        target: `≤ ${BUDGETS.more} ms of CPU`,
        measured: `${ms(mcp - api)} ms`,
        met: mcp - api <= BUDGETS.more,
        reason: "look for a second server or schema made for each request (`mcp/handler.ts`)",
      },
      ratioBudget(
        "First call of a fresh MCP isolate, over an empty Worker's start and first call",
        (mcpFirst + first) / emptyFirst,
        BUDGETS.first,
        "the maker's library is 300 KB of script",
      ),
    ],
    text: [
      `In plain workerd as \`npm start\` runs it; CPU of its process, the mean of ${CALLS} calls one after the other, in milliseconds. No source is asked.`,
      table(
        ["Request", "CPU"],
        [
          ["`POST /v3/projects/{project}/search`", ms(api)],
          ["`tools/call` of `search`", ms(mcp)],
          ["`tools/call` of `describe`", ms(describe)],
          ["`tools/list`", ms(list)],
          ["the first `tools/list` of an isolate", ms(first)],
          ["the MCP Worker alone: its process and a first request that is none of the protocol", ms(mcpFirst)],
          ["an empty Worker: its process and its first request", ms(emptyFirst)],
        ],
      ),
      "Not shown: queries, whose cost is that of their source and their rows.",
    ].join("\n\n"),
  };
}
