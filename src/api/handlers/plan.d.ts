import { type Handler } from "./handler.ts";
export declare const handleDryPlan: Handler;
