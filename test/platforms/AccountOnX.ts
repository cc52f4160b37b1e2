import { SandboxProcess } from "@carillon/sandbox/testing"
import { Accepted, type PublishRequest } from "@carillon/server/platforms/Platform"
import { makeTwitter } from "@carillon/server/platforms/twitter/Twitter"
import { allowConsent } from "@carillon/testing/allowConsent"
import { DateTime, Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

const consent = {
  login: "twitter",
  redirect_uri: "http://127.0.0.1:9/callback",
  state: "state",
  code_verifier: "v".repeat(64),
  fields: {}
}

/** An account at the stand-in for X, and its adapter, whose calls other than the sign-in go through this client. */
export const accountOnX = Effect.fnUntraced(function* (name: string, client: HttpClient.HttpClient) {
  const { url } = yield* SandboxProcess
  const adapter = (through: HttpClient.HttpClient) =>
    makeTwitter(through, {
      id: "an-app",
      secret: Redacted.make("sandbox"),
      at: (host) => `${url}/${host}`,
      stand_in: true
    })
  const { oauth } = adapter(yield* Effect.provide(HttpClient.HttpClient, FetchHttpClient.layer))
  const page = new URL(oauth!.authorizeUrl(consent))
  const location = yield* allowConsent(page, name, page.searchParams.get("scope")!.split(" "))
  const code = new URL(location!).searchParams.get("code")!
  const [account] = yield* oauth!.exchange({ ...consent, code })
  const { credentials, remote_id, username } = account!

  const x = adapter(client)
  let count = 0
  const publish = Effect.fnUntraced(function* (values: Partial<PublishRequest>) {
    const request: PublishRequest = {
      target_id: "target",
      remote_id,
      username,
      board_id: null,
      default_privacy_level: null,
      caption: `In the valley ${++count}`,
      media: [],
      cover: null,
      cover_frame: null,
      thread: null,
      options: {},
      due_at: yield* DateTime.now,
      ...values
    }
    let prepared = yield* x.prepare(request, credentials, null, () => Effect.void)
    while (prepared._tag === "wait") prepared = yield* x.poll(request, credentials, prepared.handle)
    const done = yield* x.commit(request, credentials, prepared.handle)
    const handle = done instanceof Accepted ? done.handle : prepared.handle
    const found = yield* x.reconcile(request, credentials, handle, () => Effect.succeed(new Set()))
    if (found._tag === "refused") return yield* found.failure
  })
  return { ...account!, x, publish }
})
