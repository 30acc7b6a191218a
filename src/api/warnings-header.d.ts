import type { PlannerWarning } from "../service/services.ts";
/**
 * `[{code, message, position?, hint?}, …]`; when not all fit, the last element is `{"code":"MORE","count":n}`.
 * `undefined` without warnings. `sql` is the caller's, for positions.
 */
export declare function warningsHeader(warnings: readonly PlannerWarning[], sql: string | undefined, redact: (text: string) => string): string | undefined;
