/** `npm run parity`: docs/evidence/parity.md by the engines that run here; with `--source` behind `--` somebody's own account. */
export const ran: unknown = process.argv.includes("--source")
  ? await import("./own/report.ts")
  : await import("./report.ts");
