/**
 * `siskin mcp URL`: a host that starts programs, and speaks to them over standard input and output, reaches a project of a service.
 * The variable SISKIN_TOKEN is the key or the token. Standard output has messages alone.
 */
import { isSecure } from "../../src/secure-url.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { Bridge } from "../mcp/bridge.ts";
import { readArguments } from "../options.ts";
import type { Terminal } from "../terminal.ts";

export async function mcpCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { positionals } = readArguments(args, {});
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0 || !URL.canParse(url)) {
    throw new UsageError("Give the address of a project: siskin mcp https://sql.example.com/mcp/sales");
  }
  if (!isSecure(url)) {
    throw new UsageError("The address must be https unless it is a loopback address: it gets the token.");
  }
  const token = terminal.environment["SISKIN_TOKEN"];
  const bridge = new Bridge({
    url,
    token: token === "" ? undefined : token,
    fetch,
    write: (line) => void terminal.out(`${line}\n`),
  });
  for await (const line of terminal.lines()) void bridge.take(line);
  bridge.close();
  return 0;
}
