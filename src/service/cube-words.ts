/** Words of structured cube queries that the API describes. */
export { GRANULARITIES as CUBE_GRANULARITIES, OPERATORS as CUBE_OPERATORS } from "../planner/index.ts";
