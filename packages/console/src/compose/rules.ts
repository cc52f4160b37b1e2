import { countersOf } from "./counters.ts"
import { kindsTaken } from "./kindsTaken.ts"
import { previewsOf } from "./previewsOf.ts"
import { ruleProblems } from "./ruleProblems.ts"

/** What the composer asks the rules of the networks. */
export const rules = { countersOf, kindsTaken, previewsOf, ruleProblems }
