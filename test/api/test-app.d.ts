import type { ApiOptions } from "../../src/api/exchange.ts";
import { type InFlightGate } from "../../src/service/in-flight.ts";
import { type TestServiceOptions, type TestServices } from "../service/in-memory.ts";
export interface TestAppOptions extends TestServiceOptions {
    readonly api?: Partial<ApiOptions>;
    readonly places?: number;
}
export interface TestApp {
    readonly services: TestServices;
    readonly gate: InFlightGate;
    /** One parsed log line per finished request. */
    readonly logged: Record<string, unknown>[];
    fetch(path: string, init?: RequestInit): Promise<Response>;
    /** POST with a JSON body. */
    post(path: string, body: unknown, headers?: NonNullable<RequestInit["headers"]>): Promise<Response>;
    /** Resolves when everything deferred so far has settled. */
    settled(): Promise<void>;
}
export declare function testApp(options?: TestAppOptions): TestApp;
export declare const QUERY: {
    readonly sql: "SELECT a FROM m";
    readonly manifestStr: "bTE=";
    readonly connectionInfo: {
        readonly host: "db.test";
    };
};
export interface ErrorBody {
    readonly errorCode: string;
    readonly message: string;
    readonly metadata: Record<string, unknown> | null;
    readonly phase: string | null;
    readonly timestamp: string;
    readonly correlationId: string;
}
export declare function errorOf(response: Response): Promise<ErrorBody>;
export declare function detailOf(response: Response): Promise<{
    type: string;
    loc: (string | number)[];
    msg: string;
}[]>;
