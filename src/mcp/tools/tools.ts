/** The tools in the order of their use, which is also the order of the list. */
import { checkTool } from "./check.ts";
import { describeTool } from "./describe.ts";
import { functionsTool } from "./functions.ts";
import { cubeTool, queryTool } from "./query.ts";
import { searchTool } from "./search.ts";
import type { Tool } from "./tool.ts";
import { valuesTool } from "./values.ts";

export const TOOLS: readonly Tool[] = [
  searchTool,
  describeTool,
  valuesTool,
  checkTool,
  queryTool,
  cubeTool,
  functionsTool,
];
