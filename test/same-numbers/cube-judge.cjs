/** The SQL of Cube itself for questions: a JSON list on standard input, a JSON list of statements on standard output. */
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const [, , home, model] = process.argv;
const load = createRequire(`${home}/package.json`);
// The maker's binary is not on npm. It renders templates, and the model has none.
load("@cubejs-backend/native").NativeInstance.prototype.newJinjaEngine = () => ({ loadTemplate: () => undefined });
const { prepareCompiler, PostgresQuery } = load("@cubejs-backend/schema-compiler");

async function main() {
  const content = readFileSync(model, "utf8");
  const repository = { localPath: () => ".", dataSchemaFiles: async () => [{ fileName: "shop.yml", content }] };
  const { compiler, joinGraph, cubeEvaluator } = prepareCompiler(repository, { adapter: "postgres" });
  await compiler.compile();
  const statements = JSON.parse(readFileSync(0, "utf8")).map((question) => {
    try {
      const query = new PostgresQuery(
        { compiler, joinGraph, cubeEvaluator },
        { ...question, timezone: "UTC", useNativeSqlPlanner: false },
      );
      const [sql, parameters] = query.buildSqlAndParams();
      return { sql, parameters };
    } catch (error) {
      return { error: String(error.message ?? error).slice(0, 300) };
    }
  });
  process.stdout.write(JSON.stringify(statements));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
