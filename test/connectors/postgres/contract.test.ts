import { describeConnector } from "../contract.ts";
import { startPostgresFixture } from "./fixture.ts";

describeConnector("PostgreSQL over a socket", () => startPostgresFixture());
