import { Cause, Predicate } from "effect"

/** Why a program stopped; an expected failure without a stack trace. */
export const stopSentence = (cause: Cause.Cause<unknown>) => {
  const failure = Cause.squash(cause)
  const expected = cause.reasons.every(Cause.isFailReason) && Predicate.hasProperty(failure, "message")
  return expected ? String(failure.message) : Cause.pretty(cause)
}
