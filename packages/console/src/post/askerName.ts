import type { Approval } from "@carillon/sdk"
import { clashWords } from "./clashWords.ts"

/** Who asks for the approval. */
export const askerName = ({ asked_by: { name } }: Pick<Approval, "asked_by">) => name ?? clashWords.service
