import { type Handler } from "./handler.ts";
export declare const handleValidate: Handler;
