import {
  CurrentActor,
  isHeld,
  needsPerson,
  type PostId,
  problem,
  sees,
  seesAll,
  seesSome,
  statesBefore,
  toPostId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { AppConfig } from "../AppConfig.ts"
import type { PostRow } from "./PostColumns.ts"
import { PostRepository } from "./PostRepository.ts"
import type { StoredApproval } from "./StoredApproval.ts"
import { etagOf, matchesEtag } from "./PostVersion.ts"

/** Fails for accounts that the credential is not for. */
export const requireAccounts = Effect.fnUntraced(function* (accountIds: ReadonlyArray<number>) {
  const actor = yield* CurrentActor
  const foreign = accountIds.filter((id) => !sees(id, actor.social_accounts))
  if (foreign.length > 0) {
    return yield* problem(
      "account_not_allowed",
      `This credential may not act for the social account ${foreign.join(", ")}; use one that includes it.`
    )
  }
})

/** The posts that a credential may read and change. */
export class PostAccess extends Context.Service<PostAccess>()("@carillon/server/posts/PostAccess", {
  make: Effect.gen(function* () {
    const repository = yield* PostRepository
    const { publicUrl } = yield* AppConfig

    const howToGo = ({ member }: CurrentActor["Service"]) =>
      member === null
        ? `Ask the person to do it, or to change the app at ${publicUrl}/connected-apps.`
        : "Ask an editor or a manager."

    /** Fails for who is held for approval: `what` is then another person's to do. */
    const personOnly = (what: string) =>
      Effect.flatMap(CurrentActor, (actor) =>
        isHeld(actor)
          ? problem(
              "approval_needed",
              `${what} needs ${actor.member === null ? "a person: this app may" : "somebody who approves: you may"} only write and change posts of ${actor.member === null ? "its" : "your"} own, which wait for approval at ${publicUrl}/approvals. ${howToGo(actor)}`
            )
          : Effect.void
      )

    /** Fails where the post is a person's to decide, and the credential is not theirs. */
    const notKept = Effect.fnUntraced(function* ({ id, approval, created_by }: PostRow) {
      const actor = yield* CurrentActor
      if (!needsPerson(actor, { approval, maker: created_by?.maker ?? null })) return
      const page = `${publicUrl}/approvals/${id}`
      const why =
        actor.member !== null
          ? `was not written by you, and you may change and delete only your own posts. ${howToGo(actor)}`
          : approval?.status === "waiting"
            ? `waits for a person's approval at ${page}. No app and no key can let it go out, change or delete it until they have decided.`
            : approval?.status === "refused"
              ? `was refused by a person at ${page}. Only they, signed in, can let it go out, change or delete it, and the app that asked can change it and ask again.`
              : `was not created by this app, which is held for approval and may change and delete only its own posts. ${howToGo(actor)}`
      return yield* problem("approval_needed", `The post ${id} ${why}`)
    })

    const visible = Effect.fnUntraced(function* (text: string, find: typeof repository.byId) {
      const actor = yield* CurrentActor
      const id = toPostId(text)
      const row = id === undefined ? Option.none() : yield* find(actor.workspace_id, id)
      return Option.isNone(row) || !seesSome(row.value, actor.social_accounts)
        ? yield* problem("not_found", `There is no post ${JSON.stringify(text)}.`)
        : row.value
    })

    const find = (text: string) => visible(text, repository.byId)

    /** Locks the post against the engine's settlements and other edits. */
    const lock = (text: string) => visible(text, repository.lock)

    /** Fails for a post of which the credential sees a part. */
    const requireWhole = Effect.fnUntraced(function* (row: PostRow) {
      const { social_accounts } = yield* CurrentActor
      if (seesAll(row, social_accounts)) return
      return yield* problem(
        "account_not_allowed",
        `The post ${row.id} also goes to accounts that this credential does not include; only one that includes all of its accounts can change, publish or delete it, or ask a client about it.`
      )
    })

    /** Locks the post and its targets, if the credential may change them and none has begun to be published. */
    const lockEditable = Effect.fnUntraced(function* (text: string, ifMatch: string | undefined) {
      const row = yield* lock(text)
      yield* requireWhole(row)
      yield* notKept(row)
      if (ifMatch !== undefined && !matchesEtag(ifMatch, row)) {
        return yield* problem(
          "stale_version",
          `The post ${row.id} is at version ${etagOf(row)}, not ${ifMatch}; read it again and repeat the change.`
        )
      }
      const begun = (yield* repository.lockTargets(row.id)).find(
        ({ state, items }) => !editable.has(state) || items.length > 0
      )
      if (begun !== undefined) {
        return yield* problem(
          "post_not_editable",
          row.status === "scheduled"
            ? `The post ${row.id} is being published and can no longer be changed or deleted.`
            : `The post ${row.id} is ${row.status}; only draft and scheduled posts can be changed or deleted.${row.status === "published" ? " Change a live post on the platform itself." : ""}`
        )
      }
      return row
    })

    /** Locks a post that waits for the person who decides now. Whoever is second is told what the first decided. */
    const lockWaiting = Effect.fnUntraced(function* (text: string, ifMatch: string | undefined) {
      yield* personOnly("Deciding about a post")
      const { approval, id } = yield* lock(text)
      if (approval?.status !== "waiting")
        return yield* problem("nothing_to_decide", decidedSentence(id, approval))
      return { ...(yield* lockEditable(text, ifMatch)), approval }
    })

    return { personOnly, requireWhole, find, lock, lockEditable, lockWaiting }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(PostRepository.layer))
}

const decidedSentence = (id: PostId, approval: StoredApproval | null) => {
  if (approval === null) {
    return `Nobody asks for approval of the post ${id}, or the request was taken back, so there is nothing to approve or refuse.`
  }
  const by = approval.decided_by ? ` by ${approval.decided_by.name}` : ""
  const at = approval.decided_at === null ? "" : ` at ${DateTime.formatIso(approval.decided_at)}`
  return `The post ${id} was ${approval.status}${by}${at}. Nothing was changed; read it again.`
}

const editable = new Set(statesBefore("enqueue"))
