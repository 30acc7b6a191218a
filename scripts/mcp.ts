/**
 * `npm run -s mcp -- URL`: a host that starts programs, and speaks to them over standard input and output, reaches a project of a
 * service. `SISKIN_TOKEN` is the key or the token. Standard output has messages alone.
 */
import { createInterface } from "node:readline";
import { isSecure } from "../src/secure-url.ts";
import { Bridge } from "./mcp/bridge.ts";

const url = process.argv[2];
const { SISKIN_TOKEN: token } = process.env;

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

if (url === undefined || !URL.canParse(url)) {
  refuse("Name the address of a project: npm run -s mcp -- https://sql.example.com/mcp/sales");
}
if (!isSecure(url)) refuse("The address must be https unless it is a loopback address: it gets the token.");

const bridge = new Bridge({
  url,
  token: token === "" ? undefined : token,
  fetch,
  write: (line) => process.stdout.write(`${line}\n`),
});
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
lines.on("line", (line) => void bridge.take(line));
lines.once("close", () => bridge.close());
