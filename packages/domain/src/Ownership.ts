import type { CurrentActor } from "./api/Authorization.ts"
import { credentialOf } from "./api/Authorization.ts"
import type { Approval } from "./Approval.ts"
import { roles } from "./Roles.ts"

type Actor = CurrentActor["Service"]

/** Who made a thing: a credential, or an app of a person, whatever grant it has at present. */
export const makerOf = (actor: Actor): string => actor.grant?.connection ?? credentialOf(actor)

/** Whether what an app or a writer wants to go out waits for an approval. It then changes and deletes only what it made itself. */
export const isHeld = ({ grant, member }: Actor): boolean =>
  grant?.needs_approval === true || (member !== null && roles[member.role].held)

/** Whether the credential made a thing, by what `makerOf` gave then. */
export const isOwn = (actor: Actor, maker: string | null | undefined): boolean =>
  maker != null && (maker === makerOf(actor) || maker === actor.grant?.id)

interface MadePost {
  readonly approval: (Pick<Approval, "status"> & { readonly grant_id: string | null }) | null
  readonly maker: string | null
}

/**
 * Whether a post is for a person who approves to change: somebody asked them about it and they have not approved it, or who
 * wants to change it is held and did not make it.
 */
export const needsPerson = (actor: Actor, { approval, maker }: MadePost): boolean =>
  isHeld(actor)
    ? !isOwn(actor, maker) && !isOwn(actor, approval?.grant_id)
    : actor.member === null && approval !== null && approval.status !== "approved"
