import { describeConnector } from "../contract.ts";
import { startRedshiftFixture } from "./fixture.ts";

describeConnector("Redshift's connector over PostgreSQL, which is not Redshift,", () => startRedshiftFixture());
