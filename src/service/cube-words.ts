/** Keywords of structured cube queries, for the API's description. */
export { GRANULARITIES as CUBE_GRANULARITIES, OPERATORS as CUBE_OPERATORS } from "../planner/index.ts";
