/** `@siskin/client`: asks the projects of a Siskin service. */
export { siskin } from "./client.ts";
export { SiskinError } from "./failure.ts";
export type * from "./types.ts";
