import { webhooks, WebhookVerificationError } from "@carillon/sdk"
import { Webhook } from "standardwebhooks"
import { assert, describe, it, onTestFinished, vi } from "vitest"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const other = "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcg=="
const body = JSON.stringify({
  type: "webhook.test",
  timestamp: "2026-11-21T12:00:00.000Z",
  data: { webhook_id: "1", message: "Glocken 🔔" }
})

/** Headers as another implementation of the specification makes them. */
const signed = (secrets: ReadonlyArray<string>, at = new Date(), text = body) => ({
  "webhook-id": "0190a000-0000-7000-8000-000000000001",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets
    .map((one) => new Webhook(one).sign("0190a000-0000-7000-8000-000000000001", at, text))
    .join(" ")
})

const refused = async (code: string, run: Promise<unknown>) => {
  const error = await run.then(
    () => assert.fail("it was accepted"),
    (failure: unknown) => failure
  )
  assert.instanceOf(error, WebhookVerificationError)
  assert.strictEqual(error.code, code)
}

describe("webhooks.verify", () => {
  it("gives the event and its id, from any kind of headers and body", async () => {
    const headers = signed([secret])
    for (const [given, text] of [
      [headers, body],
      [new Headers(headers), new TextEncoder().encode(body)]
    ] as const) {
      const event = await webhooks.verify(given, text, secret)
      assert.strictEqual(event.type, "webhook.test")
      assert.strictEqual(event.id, headers["webhook-id"])
      assert.deepStrictEqual(event.data, JSON.parse(body).data)
    }
  })

  it("takes either of two secrets while one replaces the other, on either side", async () => {
    await webhooks.verify(signed([other, secret]), body, secret)
    await webhooks.verify(signed([secret]), body, [other, secret])
  })

  it("refuses another body, id, time, secret or kind of signature", async () => {
    const headers = signed([secret])
    await refused("webhook_signature_invalid", webhooks.verify(headers, body.replace("🔔", ""), secret))
    await refused(
      "webhook_signature_invalid",
      webhooks.verify({ ...headers, "webhook-id": "x" }, body, secret)
    )
    const later = String(Number(headers["webhook-timestamp"]) + 1)
    await refused(
      "webhook_signature_invalid",
      webhooks.verify({ ...headers, "webhook-timestamp": later }, body, secret)
    )
    await refused("webhook_signature_invalid", webhooks.verify(headers, body, other))
    for (const signature of [
      "v1,",
      "v1,%%%",
      "v1a,AAAA",
      headers["webhook-signature"].slice(3),
      headers["webhook-signature"].replace("v1,", "v2,")
    ]) {
      await refused(
        "webhook_signature_invalid",
        webhooks.verify({ ...headers, "webhook-signature": signature }, body, secret)
      )
    }
  })

  it("refuses what is older or younger than five minutes", async () => {
    // Headers have whole seconds: a clock that goes on would make one of the two fit now and then.
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T12:00:00.999Z") })
    onTestFinished(() => void vi.useRealTimers())
    for (const shift of [-301_000, 301_000]) {
      const headers = signed([secret], new Date(Date.now() + shift))
      await refused("webhook_timestamp_invalid", webhooks.verify(headers, body, secret))
    }
    for (const timestamp of ["", "soon", "1e3", "-1"]) {
      const headers = { ...signed([secret]), "webhook-timestamp": timestamp }
      await refused(
        timestamp === "" ? "webhook_header_missing" : "webhook_timestamp_invalid",
        webhooks.verify(headers, body, secret)
      )
    }
    for (const shift of [-299_000, 300_000]) {
      await webhooks.verify(signed([secret], new Date(Date.now() + shift)), body, secret)
    }
  })

  it("says when the secret is none", async () => {
    await refused("webhook_secret_invalid", webhooks.verify(signed([secret]), body, "%%%"))
    await refused("webhook_secret_invalid", webhooks.verify(signed([secret]), body, "whsec_"))
  })
})
