/** Models without a rule over a table whose rows a rule of another model excludes: a way around the rule. */

type Members = Readonly<Record<string, unknown>>;

/** A sentence for each such model. */
export function waysAroundRules(manifest: Members): readonly string[] {
  const models = (Array.isArray(manifest["models"]) ? (manifest["models"] as readonly Members[]) : []).map((model) => ({
    name: String(model["name"]),
    table: tableOf(model["tableReference"]),
    hasRules: Array.isArray(model["rowLevelAccessControls"]) && model["rowLevelAccessControls"].length > 0,
  }));
  const ruled = models.filter(({ table, hasRules }) => hasRules && table !== undefined);
  return models
    .filter(({ hasRules }) => !hasRules)
    .flatMap(({ name, table }) => {
      const other = ruled.find((each) => each.table === table);
      return other === undefined
        ? []
        : [`model "${name}" without a rule, over the table of model "${other.name}", which has one,`];
    });
}

function tableOf(reference: unknown): string | undefined {
  if (typeof reference !== "object" || reference === null) return undefined;
  const { catalog, schema, table } = reference as Members;
  return JSON.stringify([catalog || "", schema || "", table]).toLowerCase();
}
