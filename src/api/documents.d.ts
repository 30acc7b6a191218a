/** What the service says about itself: health, configuration, API description. Nothing here touches a source. */
import type { ApiOptions } from "./exchange.ts";
type Answer = () => Response | Promise<Response>;
export declare function documentRoutes(options: ApiOptions): readonly (readonly [path: string, answer: Answer])[];
export {};
