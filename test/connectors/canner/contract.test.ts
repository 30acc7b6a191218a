import { describeConnector } from "../contract.ts";
import { startCannerFixture } from "./fixture.ts";

describeConnector("Canner's connector over PostgreSQL, which is not Canner,", () => startCannerFixture());
