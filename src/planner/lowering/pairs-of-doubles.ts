/** Correlation and regression in double precision, for targets that lack them or return another result for identical values. */
import {
  binary,
  call,
  cases,
  comparison,
  inPlaceOf,
  integer,
  isNull,
  logical,
  typed,
  values,
  when,
} from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { DOUBLE, INTEGER } from "../types.ts";
import { asDouble } from "./long-decimals.ts";

/** Only pairs without NULL count. */
export function ofPairs(node: Call): Expression {
  const [y, x] = values(node);
  if (x === undefined || y === undefined) return node;
  const at = typed(DOUBLE, node);
  const both = logical("and", [isNull(y, true), isNull(x, true)], node);
  const paired = (value: Expression): Expression => when(both, asDouble(value), undefined, at);
  const of = (name: string, list: readonly Expression[]): Call => ({ ...call(name, list, at), over: node.over });
  const count = of("count", [when(both, integer(1, node), undefined, typed(INTEGER, node))]);
  const spread = (value: Expression): Call => of("var_pop", [paired(value)]);
  const together = of("covar_pop", [asDouble(y), asDouble(x)]);
  const product = (value: Expression): Expression => binary(asDouble(count), "*", value, inPlaceOf(node));
  const isFlat = (value: Expression): Expression => comparison(spread(value), "=", integer(0, node), node);
  const nothing: Expression = { kind: "null", span: node.span, type: DOUBLE };
  const slope = binary(together, "/", spread(x), at);
  switch (node.name[0]?.name) {
    case "regr_count":
      return { ...count, ...(node.type && { type: node.type }) };
    case "regr_avgx":
      return of("avg", [paired(x)]);
    case "regr_avgy":
      return of("avg", [paired(y)]);
    case "regr_sxx":
      return product(spread(x));
    case "regr_syy":
      return product(spread(y));
    case "regr_sxy":
      return product(together);
    case "regr_slope":
      return cases([{ when: isFlat(x), then: nothing }], slope, at);
    case "regr_intercept": {
      const line = binary(of("avg", [paired(y)]), "-", binary(slope, "*", of("avg", [paired(x)]), at), at);
      return cases([{ when: isFlat(x), then: nothing }], line, at);
    }
    case "corr": {
      const flat = logical("or", [isFlat(x), isFlat(y)], node);
      return cases([{ when: flat, then: nothing }], of("corr", [asDouble(y), asDouble(x)]), at);
    }
    default: {
      const correlation = of("corr", [asDouble(y), asDouble(x)]);
      const branches = [
        { when: isFlat(x), then: nothing },
        { when: isFlat(y), then: { kind: "number", text: "1e0", span: node.span, type: DOUBLE } as const },
      ];
      return cases(branches, binary(correlation, "*", correlation, at), at);
    }
  }
}
