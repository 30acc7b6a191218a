/** The connectors' contract on somebody's own account, run by `npm run parity -- --source … --connection …`. */
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { describeConnector } from "../../connectors/contract.ts";
import { openConnector, readAccount } from "./account.ts";
import { contractSession, contractStatements } from "./contract-statements.ts";

const account = readAccount(process.env["OWN_SOURCE"] as PlannedSource, process.env["OWN_CONNECTION"] ?? "");

describeConnector(account.source, () =>
  Promise.resolve({
    statements: contractStatements(account.source),
    session: contractSession(account.source),
    open: () => openConnector(account),
    close: async () => {},
  }),
);
