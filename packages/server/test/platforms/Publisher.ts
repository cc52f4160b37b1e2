import { permissionsOf } from "@carillon/domain"
import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import type { ConnectedAccount, PublishRequest } from "@carillon/server/platforms/Platform"
import { allowConsent } from "@carillon/testing/allowConsent"
import type { Walk } from "@carillon/testing/Walks"
import { Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { Adapter } from "./Adapters.ts"
import { noneTaken, request, savedHandles } from "./TestRequest.ts"

/** `ending`: of the username, which means something to the stand-in. */
type Account = Adapter & Partial<Pick<Walk, "signIn" | "typed">> & { readonly ending?: string }

/** `secret`: the app's. `through`: wraps the HTTP client; `url` is the test network's. */
interface Way {
  readonly secret?: string
  readonly through?: (client: HttpClient.HttpClient, url: string) => HttpClient.HttpClient
}

let accounts = 0

/** A person who has not signed in yet. */
export const somebody = Effect.fnUntraced(function* (
  { ending = "", login, make, network, signIn: { fields = {} } = {}, tokens, typed }: Account,
  { secret = "sandbox", through = (client) => client }: Way = {}
) {
  const { on, url } = yield* SandboxProcess
  const platform = make(
    through(yield* HttpClient.HttpClient, url),
    {
      id: "1234-app.apps.googleusercontent.com",
      secret: Redacted.make(secret),
      at: (host) => `${url}/${host}`,
      stand_in: true
    },
    url
  )
  const username = `somebody${++accounts}${ending}`
  const rest = { platform, username, url, tokens, network: on(network) }
  if (typed !== undefined || platform.oauth === undefined) {
    const signIn = platform.connect!(typed?.(username, url))
    return { ...rest, asked: [], page: undefined, exchange: () => Effect.map(signIn, (one) => [one]) }
  }
  const { authorizeUrl, exchange, servers } = platform.oauth
  const redirect_uri = `http://127.0.0.1:9/oauth/callback/${network}`
  const consent = {
    login,
    redirect_uri,
    permissions: permissionsOf(network),
    state: "state",
    code_verifier: "v".repeat(64),
    fields:
      servers === undefined ? fields : yield* servers.arrange(yield* servers.named(fields), redirect_uri)
  }
  const page = new URL(authorizeUrl(consent))
  const asked = page.searchParams.get("scope")!.split(/[ ,]/)
  return {
    ...rest,
    asked,
    page,
    /** What a person does in the browser. */
    exchange: Effect.fnUntraced(function* (granted: ReadonlyArray<string> = asked) {
      const location = yield* allowConsent(page, username, granted)
      const code = new URL(location!).searchParams.get("code")!
      return yield* exchange({ ...consent, code })
    })
  }
})

export type Person = Effect.Success<ReturnType<typeof somebody>>

/** The account that a person connects. */
export const signedIn = ({ exchange }: Person, granted?: ReadonlyArray<string>) =>
  Effect.map(exchange(granted), ([account]) => account!)

/** A connected account with a post of its own, and the steps to publish it. */
export const publisherOf = Effect.fnUntraced(function* (
  person: Person,
  account: ConnectedAccount,
  values: Partial<PublishRequest> = {}
) {
  const { network, platform, username } = person
  const { credentials, remote_id } = account
  const post = request({
    username: account.username,
    remote_id,
    target_id: `target-of-${username}`,
    ...values
  })
  const { save, all } = yield* savedHandles
  return {
    ...person,
    account,
    credentials,
    post,
    save,
    saved: all,
    script: (...faults: ReadonlyArray<Fault>) => network.script(username, faults),
    publications: network.publications(username),
    requests: network.requests(username),
    prepare: (handle: Handle | null = null) => platform.prepare(post, credentials, handle, save),
    poll: (handle: Handle) => platform.poll(post, credentials, handle),
    commit: (handle: Handle) => platform.commit(post, credentials, handle),
    reconcile: (handle: Handle) => platform.reconcile(post, credentials, handle, noneTaken)
  }
})

/** The same of somebody new. */
export const publisher = Effect.fnUntraced(function* (
  adapter: Account,
  values?: Partial<PublishRequest>,
  { granted, ...way }: Way & { readonly granted?: ReadonlyArray<string> } = {}
) {
  const person = yield* somebody(adapter, way)
  return yield* publisherOf(person, yield* signedIn(person, granted), values)
})
