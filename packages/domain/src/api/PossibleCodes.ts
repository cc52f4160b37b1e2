import { Context } from "effect"
import type { ProblemCode } from "../Problems.ts"

/**
 * The codes that an endpoint's own rules can answer with, as its annotation: the OpenAPI document has them, and the
 * contract tests compare them with the answers. An endpoint without it is documented with every code of its statuses.
 */
export class PossibleCodes extends Context.Service<PossibleCodes, ReadonlyArray<ProblemCode>>()(
  "@carillon/domain/api/PossibleCodes"
) {}
