/** `npm run parity`: docs/evidence/parity.md by the engines that run here; with words behind `--` somebody's own account. */
export const ran: unknown = process.argv.length > 2 ? await import("./own/report.ts") : await import("./report.ts");
