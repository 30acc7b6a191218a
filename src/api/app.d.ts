import { type ApiOptions, type Platform } from "./exchange.ts";
export type App = (request: Request, platform: Platform) => Promise<Response>;
/** Never throws: whatever happens becomes an answer in the form of contract §5. */
export declare function createApp(options: ApiOptions): App;
