/** The schemas of the corpus with their queries. */
import { type CorpusQuery, readQueries } from "./queries.ts";
import { BANK } from "./schemas/bank/tables.ts";
import { CINEMA } from "./schemas/cinema/tables.ts";
import { EVENTS } from "./schemas/events/tables.ts";
import { FREIGHT } from "./schemas/freight/tables.ts";
import { HOSPITAL } from "./schemas/hospital/tables.ts";
import { HR } from "./schemas/hr/tables.ts";
import { LEAGUE } from "./schemas/league/tables.ts";
import { REALTY } from "./schemas/realty/tables.ts";
import { SAAS } from "./schemas/saas/tables.ts";
import { SCHOOL } from "./schemas/school/tables.ts";
import { SENSORS } from "./schemas/sensors/tables.ts";
import { WEBSHOP } from "./schemas/webshop/tables.ts";
import type { CorpusSchema } from "./tables.ts";

const SCHEMAS: readonly CorpusSchema[] = [
  BANK,
  CINEMA,
  EVENTS,
  FREIGHT,
  HOSPITAL,
  HR,
  LEAGUE,
  REALTY,
  SAAS,
  SCHOOL,
  SENSORS,
  WEBSHOP,
];

export const CORPUS: readonly { readonly schema: CorpusSchema; readonly queries: readonly CorpusQuery[] }[] =
  SCHEMAS.map((schema) => ({ schema, queries: readQueries(schema.name) }));
