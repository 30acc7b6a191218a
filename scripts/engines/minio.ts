/** Builds MinIO from its source in Go's module proxy. The build takes minutes to hours, so it only runs on request. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The last commit of the project. No registry has the program. */
const MODULE = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c";

/** The program in `directory`, which is built if it is missing. Throws without `go`. */
export function builtMinio(directory: string): string {
  const program = join(directory, "minio");
  if (existsSync(program)) return program;
  mkdirSync(directory, { recursive: true });
  execFileSync("go", ["install", MODULE], { env: { ...process.env, GOBIN: directory }, stdio: ["ignore", 2, 2] });
  return program;
}
