import {
  type CurrentActor,
  problem,
  rolesWith,
  type Scope,
  isAppScope,
  scopeSentences
} from "@carillon/domain"

/** The refusal of what needs a scope, `subject`. An app has no other credential: it is told what to ask its person for. */
export const missingScope = (
  { grant, member, scopes }: Pick<CurrentActor["Service"], "grant" | "member" | "scopes">,
  needed: Scope,
  publicUrl: string,
  subject = "This"
) =>
  problem(
    "missing_scope",
    `${subject} needs the scope ${needed}${member === null ? reason(grant, scopes, needed, publicUrl) : `, which a ${member.role} of this workspace does not have. Ask somebody who may: ${rolesWith(needed).join(", ")}.`}`
  )

const reason = (
  grant: CurrentActor["Service"]["grant"],
  scopes: ReadonlyArray<Scope>,
  needed: Scope,
  publicUrl: string
) => {
  if (grant === null) return `; this credential has ${scopes.join(", ")}. Use one that has it.`
  if (!isAppScope(needed)) return ", which no app can have: ask the user to do it themselves."
  const allow = `ask them to allow "${scopeSentences[needed][0]}" for ${JSON.stringify(grant.app)}`
  return grant.asked.includes(needed)
    ? `, which the user did not grant; ${allow} at ${publicUrl}/connected-apps.`
    : `, which this app has not asked for: connect again with it, and ${allow}.`
}
