import { passwordCountsForMinutes, TimeZoneName, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { Audit, ownAct, theInstance } from "../audit/Audit.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { longestPassword, passwordFlaw } from "../crypto/PasswordRules.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { makeCredentialCache } from "./CredentialCache.ts"
import { deviceCookie, deviceCookiePurpose } from "./DeviceCookie.ts"
import { limitOfAddress, limitsOfSession } from "./GuessLimits.ts"
import {
  type ListedSession,
  type ListedWorkspace,
  type Member,
  MemberRepository,
  type MemberWorkspace
} from "./MemberRepository.ts"
import { type PasskeyRefused, Passkeys } from "./Passkeys.ts"
import { hashPassword, inLine, verifyPassword } from "./Passwords.ts"
import { removeFirstKey } from "./FirstKeyFile.ts"
import { passwordLinkPurpose, passwordTicketMadeAt } from "./PasswordLink.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { Throttle, type Throttled } from "../http/Throttle.ts"

/** The problem and what to do, for a person at a form. */
export class FormRefused extends Schema.TaggedError<FormRefused>()("FormRefused", {
  message: Schema.String
}) {}

export interface Session {
  readonly member: Member
  /** Derived from the cookie, to bind forms to. */
  readonly token: string
}

/** One that has just begun, with the cookie by which the browser is known later. */
export interface NewSession extends Session {
  readonly device: string
}

/** Where a sign-in comes from. */
export interface Origin {
  readonly address: string
  /** What the browser calls itself. */
  readonly userAgent: string | null
  /** The cookie of a browser that signed in before. */
  readonly device: string | undefined
}

/** A session that still lasts, as a request to `/v1` uses it. */
export interface Seated {
  readonly member: Member
  /** None: it is not one of the member's. */
  readonly workspace: Option.Option<MemberWorkspace>
}

/** Where a member is signed in. */
export interface OpenSession extends Omit<ListedSession, "token_hash"> {
  /** Whether it is the one that asks. */
  readonly isOwn: boolean
}

const linkLasts = { hours: 24 } as const
const sessionLasts = { days: 60 } as const
const idleLasts = { days: 14 } as const
const lastingAt = (now: DateTime.Utc) => ({ now, idle_since: DateTime.subtract(now, idleLasts) })
const passwordCounts = { minutes: passwordCountsForMinutes }

const isWorkspaceId = Schema.is(WorkspaceId)

/**
 * The people who sign in with a browser: the owner, made through a one-time link that the start prints, and members of
 * single workspaces. Tokens of sessions and links are stored as hashes only.
 */
export class Members extends Context.Service<
  Members,
  {
    /** Makes the owner's address, the only one from now on; none: there is an owner. */
    readonly ownerLink: Effect.Effect<Option.Option<string>>
    readonly linkIsGood: (ticket: string) => Effect.Effect<boolean>
    /** None: the instance has no owner yet. */
    readonly owner: Effect.Effect<Option.Option<Member>>
    /**
     * Makes the owner, in this time zone, or gives the present one this name and password and ends all sessions; signs in.
     */
    claim(
      ticket: string,
      chosen: { readonly name: string; readonly password: string; readonly timezone: string | null },
      from: Origin
    ): Effect.Effect<NewSession, FormRefused | Throttled>
    /** Begins a session of somebody who has proved who they are. */
    begin(member: Member, from: Origin, isNewDevice?: boolean): Effect.Effect<NewSession>
    session(token: string | undefined): Effect.Effect<Option.Option<Session>>
    /** The session as a request to this workspace uses it. */
    seated(token: string, workspace: string): Effect.Effect<Option.Option<Seated>>
    /** Whether the password was given in this session a short while ago. */
    passwordGiven(token: string): Effect.Effect<boolean>
    /** Takes the password again; until when it counts. */
    confirm(session: Session, password: string): Effect.Effect<DateTime.Utc, FormRefused | Throttled>
    /** Takes a passkey instead of the password; until when it counts. */
    confirmWithPasskey(session: Session, credential: string): Effect.Effect<DateTime.Utc, PasskeyRefused>
    /** The sessions of a member that still last, last used first. */
    sessions(session: Session): Effect.Effect<ReadonlyArray<OpenSession>>
    /** Ends one of the member's sessions. */
    endSession(member: Member, id: string): Effect.Effect<void>
    signOut(token: string): Effect.Effect<void>
    signOutEverywhere(member: Member): Effect.Effect<void>
    changePassword(
      session: Session,
      present: string,
      next: string,
      from: Origin
    ): Effect.Effect<NewSession, FormRefused | Throttled>
    byId(id: string): Effect.Effect<Option.Option<Member>>
    /** A workspace as a member has it now; none: they have not, or are gone. */
    seat(memberId: string, workspaceId: WorkspaceId): Effect.Effect<Option.Option<MemberWorkspace>>
    workspaces(member: Member): Effect.Effect<ReadonlyArray<ListedWorkspace>>
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/auth/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* MemberRepository
      const throttle = yield* Throttle
      const audit = yield* Audit
      const secondFactors = yield* SecondFactors
      const passkeys = yield* Passkeys
      const workspaces = yield* Workspaces
      const wakeup = yield* Wakeup
      const { dataDir, publicUrl } = yield* AppConfig
      const secrets = yield* Secrets
      const linkKey = secrets.key(passwordLinkPurpose)
      const deviceKey = secrets.key(deviceCookiePurpose)
      const kept = yield* makeCredentialCache<Seated>(wakeup.credentials)

      const endSessionsOf = (memberId: string) =>
        Effect.andThen(repository.deleteSessionsOf(memberId), wakeup.credentials.notify)

      /** Never a token that a browser brought: an attacker may have planted it there. */
      const begin = Effect.fnUntraced(function* (
        member: Member,
        { address, userAgent }: Origin,
        isNewDevice = false
      ) {
        const token = randomBytes(32).toString("base64url")
        const now = yield* DateTime.now
        const { device_generation } = yield* repository.insertSession({
          token_hash: hash(token),
          member_id: member.id,
          created_at: now,
          last_used_at: now,
          password_given_at: now,
          expires_at: DateTime.add(now, sessionLasts),
          address,
          user_agent: userAgent,
          new_device: isNewDevice
        })
        const { id, name, role } = member
        return {
          member: { id, name, role },
          token,
          device: deviceCookie(deviceKey, { id, device_generation }, now)
        }
      })

      const ownerLink = Effect.gen(function* () {
        if (Option.isSome(yield* repository.owner)) return Option.none()
        const ticket = randomBytes(32).toString("base64url")
        yield* repository.replaceLinks(hash(ticket), DateTime.add(yield* DateTime.now, linkLasts))
        yield* audit.record({
          workspace_id: null,
          actor: theInstance,
          action: "owner_link.created",
          subject: null
        })
        return Option.some(`${publicUrl}/welcome/${ticket}`)
      }).pipe(sql.withTransaction, Effect.orDie)

      const linkIsGood = Effect.fnUntraced(function* (ticket: string) {
        const now = yield* DateTime.now
        const madeAt = passwordTicketMadeAt(linkKey, ticket, now)
        return Option.isSome(madeAt)
          ? yield* repository.passwordIsOlder(madeAt.value)
          : yield* repository.linkIsGood(hash(ticket), now)
      })

      const claim = Effect.fn("Members.claim")(function* (
        ticket: string,
        { name, password, timezone }: Parameters<Members["Service"]["claim"]>[1],
        from: Origin
      ) {
        const { address } = from
        // Checked before anything slow, because strangers may make links up.
        if (!(yield* throttle.guarded([limitOfAddress(address)], linkIsGood(ticket)))) {
          yield* Effect.logInfo("an invalid owner link was refused", { address })
          return yield* deadLink
        }
        const called = yield* acceptableName(name)
        const zone = timezone === null ? null : yield* acceptableZone(timezone)
        const password_hash = yield* hashPassword(yield* acceptable(password))
        return yield* Effect.gen(function* () {
          const now = yield* DateTime.now
          const madeAt = passwordTicketMadeAt(linkKey, ticket, now)
          if (Option.isNone(madeAt) && Option.isNone(yield* repository.takeLink(hash(ticket), now))) {
            return yield* deadLink
          }
          yield* repository.lockOwners
          const owner = yield* repository.owner
          const member: Member = Option.isSome(owner)
            ? { ...owner.value, name: called }
            : { id: SecureRandom.uuidV7Unsafe(), name: called, role: "owner" }
          if (Option.isSome(owner)) {
            // Set then too, where the clock that made the link is ahead: a link never finds itself newer than its own password.
            const renewed = { name: called, password_hash, madeAt: Option.getOrElse(madeAt, () => now) }
            const at = DateTime.max(now, renewed.madeAt)
            if (!(yield* repository.renewPassword(member.id, renewed, at))) return yield* deadLink
            yield* secondFactors.removeAll(member.id)
            yield* passkeys.removeAll(member.id)
            yield* endSessionsOf(member.id)
          } else {
            const made = yield* repository.insert({ ...member, password_hash, created_at: now })
            if (Option.isNone(made)) return yield* deadLink
            if (zone !== null) yield* workspaces.setDefaultTimezone(zone)
          }
          yield* repository.deleteLinks
          yield* audit.record(ownAct(Option.isSome(owner) ? "member.updated" : "member.created", member))
          return yield* begin(member, from)
        }).pipe(
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die),
          Effect.tap(() => removeFirstKey(dataDir))
        )
      }, inLine)

      const session = Effect.fnUntraced(function* (token: string | undefined) {
        if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return Option.none()
        const now = yield* DateTime.now
        const token_hash = hash(token)
        const found = yield* repository.session({ token_hash, ...lastingAt(now) })
        if (Option.isNone(found)) return Option.none()
        const { last_used_at, ...member } = found.value
        if (DateTime.isGreaterThan(now, DateTime.add(last_used_at, { hours: 1 }))) {
          yield* repository.sessionUsed(token_hash, now)
        }
        return Option.some({ member, token })
      })

      const seated = (token: string, workspace: string) =>
        kept.get(
          `${token} ${workspace}`,
          Effect.gen(function* () {
            const found = yield* session(token)
            if (Option.isNone(found)) return Option.none()
            const { member } = found.value
            const own = isWorkspaceId(workspace)
              ? yield* repository.workspace(member, workspace)
              : Option.none()
            return Option.some({ member, workspace: own })
          })
        )

      const passwordGiven = Effect.fnUntraced(function* (token: string) {
        const since = DateTime.subtract(yield* DateTime.now, passwordCounts)
        return yield* repository.passwordGivenSince(hash(token), since)
      })

      const isPasswordOf = Effect.fnUntraced(function* ({ member, token }: Session, password: string) {
        const { password_hash } = Option.getOrThrow(yield* repository.byId(member.id))
        const tried = password.slice(0, longestPassword + 1)
        const right = yield* throttle.guarded(limitsOfSession(token), verifyPassword(tried, password_hash))
        if (!right) yield* audit.record(ownAct("password.refused", member))
        return right
      })

      const given = Effect.fnUntraced(function* ({ token }: Session) {
        const now = yield* DateTime.now
        yield* repository.passwordGiven(hash(token), now)
        return DateTime.add(now, passwordCounts)
      })

      const confirm = Effect.fn("Members.confirm")(function* (session: Session, password: string) {
        if (!(yield* isPasswordOf(session, password))) {
          return yield* new FormRefused({ message: "The password is wrong. Try again." })
        }
        return yield* given(session)
      }, inLine)

      const confirmWithPasskey = Effect.fn("Members.confirmWithPasskey")(function* (
        session: Session,
        credential: string
      ) {
        yield* passkeys.answered(session.token, credential, session.member)
        return yield* given(session)
      })

      const changePassword = Effect.fn("Members.changePassword")(function* (
        session: Session,
        present: string,
        next: string,
        from: Origin
      ) {
        if (!(yield* isPasswordOf(session, present))) {
          return yield* new FormRefused({
            message: "The current password is wrong. Nothing was changed. Try again."
          })
        }
        const password_hash = yield* hashPassword(yield* acceptable(next))
        const { member } = session
        return yield* Effect.gen(function* () {
          yield* repository.setPassword(member.id, password_hash, yield* DateTime.now)
          yield* endSessionsOf(member.id)
          yield* audit.record(ownAct("member.updated", member))
          return yield* begin(member, from)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      }, inLine)

      const sessions = Effect.fnUntraced(function* ({ member, token }: Session) {
        const found = yield* repository.sessions({ member_id: member.id, ...lastingAt(yield* DateTime.now) })
        const own = hash(token)
        return found.map(({ token_hash, ...one }): OpenSession => ({ ...one, isOwn: own.equals(token_hash) }))
      })

      return Members.of({
        ownerLink,
        owner: repository.owner,
        linkIsGood,
        claim,
        begin,
        session,
        seated,
        passwordGiven,
        confirm,
        confirmWithPasskey,
        sessions,
        endSession: (member, id) =>
          Effect.andThen(repository.deleteSessionOf(member.id, id), wakeup.credentials.notify),
        signOut: (token) => Effect.andThen(repository.deleteSession(hash(token)), wakeup.credentials.notify),
        signOutEverywhere: (member) =>
          Effect.andThen(endSessionsOf(member.id), audit.record(ownAct("sign_out.everywhere", member))).pipe(
            sql.withTransaction,
            Effect.orDie
          ),
        changePassword,
        byId: repository.byId,
        seat: Effect.fnUntraced(function* (memberId, workspaceId) {
          const member = yield* repository.byId(memberId)
          return Option.isNone(member)
            ? Option.none()
            : yield* repository.workspace(member.value, workspaceId)
        }),
        workspaces: Effect.fnUntraced(function* (member) {
          // Made when it is first needed.
          if (member.role === "owner") yield* workspaces.default
          return yield* repository.workspaces(member)
        }),
        collect: Effect.flatMap(DateTime.now, repository.collect)
      })
    })
  ).pipe(
    Layer.provide(MemberRepository.layer),
    Layer.provideMerge(Layer.mergeAll(SecondFactors.layer, Passkeys.layer, Throttle.layer))
  )
}

const hash = (token: string) => createHash("sha256").update(token).digest()

const deadLink = new FormRefused({
  message:
    "This link has been used, has expired, or was replaced by a newer one. If there is no owner yet, the service prints a new link when it next starts. " +
    "The page about a forgotten password says how to make another."
})

const acceptable = (password: string) => {
  const message = passwordFlaw(password)
  return message === null ? Effect.succeed(password) : Effect.fail(new FormRefused({ message }))
}

const acceptableZone = (timezone: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(TimeZoneName)(timezone),
    () => new FormRefused({ message: "There is no such time zone. Choose one from the list." })
  )

const acceptableName = (name: string) => {
  const trimmed = name.trim()
  return trimmed.length >= 1 && trimmed.length <= 100 && !/\p{Cc}/u.test(trimmed)
    ? Effect.succeed(trimmed)
    : Effect.fail(
        new FormRefused({ message: "The name is empty or too long. Choose one of 1 to 100 characters." })
      )
}
