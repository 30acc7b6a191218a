/** The JSON Schema of manifests, for the API. */
export { manifestSchema } from "../planner/index.ts";
