/** The model that a command works on, wherever it was read. */
import type { DataSource } from "../../src/planner/plan.ts";
import type { FilePosition } from "../exit.ts";

export interface Model {
  /** Path as a person would write it. */
  readonly origin: string;
  /** Whether the model is a folder, with tests and knowledge beside it. */
  readonly isFolder: boolean;
  /** Directory that relative paths of the model refer to. */
  readonly directory: string;
  /** Directory of the files that `local_file` reads. */
  readonly fileRoot: string;
  /** The manifest as JSON. */
  readonly manifestText: string;
  readonly source: DataSource | undefined;
  /** Reference to the connection, as `--connection` takes it. */
  readonly connection: string | undefined;
  /** Position of an object by its name in messages, such as `column "total" of model "orders"`. */
  readonly positionOf: (object: string) => FilePosition | undefined;
}
