import { visitConsentPage } from "@carillon/testing/ConsentVisit"
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import type { Answer } from "./Checker.ts"
import { operations, type Operation } from "./Document.ts"
import { type Id, type Kind, pathKinds, withIds } from "./Ids.ts"
import { json, send, type WireRequest } from "./Wire.ts"

/** One pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** One workspace, through the API only. */
export class Tenant {
  readonly #url: string
  readonly key: string
  readonly name: string
  readonly #ids = new Map<Kind, Id>()

  constructor(url: string, key: string, name: string) {
    this.#url = url
    this.key = key
    this.name = name
  }

  /** With one thing of every kind that the contract has. */
  static async make(url: string, key: string, name: string): Promise<Tenant> {
    const tenant = new Tenant(url, key, name)
    for (const kind of new Set(operations.flatMap(pathKinds))) await tenant.id(kind)
    return tenant
  }

  send(request: WireRequest, limitMillis?: number): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.key}`, ...request.headers }
    return send(this.#url, { ...request, headers }, limitMillis)
  }

  async call(method: string, target: string, body?: object): Promise<any> {
    const answer = await this.send({
      method,
      target,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.text}`)
    return JSON.parse(answer.text)
  }

  /** The thing of this kind that stays. */
  async id(kind: Kind): Promise<Id> {
    const id = this.#ids.get(kind) ?? (await this.fresh(kind))
    this.#ids.set(kind, id)
    return id
  }

  /** Makes another one. */
  async fresh(kind: Kind): Promise<Id> {
    const making = this.#makers[kind]
    return making === undefined ? this.#created(kind) : making()
  }

  /** A new thing, as it was answered, from the first example of the operation that makes one. */
  async #created(kind: Kind): Promise<Id> {
    const one = operations.find(({ path }) => path.endsWith(`{${kind}_id}`))
    const collection = one?.path.replace(/\/\{\w+\}$/, "")
    const create = operations.find(({ method, path }) => method === "POST" && path === collection)
    if (create === undefined) throw new Error(`test/contract/Tenant.ts does not know how to make a ${kind}`)
    return (await this.call("POST", create.path, await this.example(create))).id
  }

  /** The first example of an operation's body, with ids of this workspace. */
  async example(operation: Operation): Promise<any> {
    const examples = Object.values<any>(operation.requestBody?.content["application/json"]?.examples ?? {})
    return examples[0] === undefined ? undefined : this.withMyIds(examples[0].value)
  }

  async withMyIds(body: any): Promise<any> {
    const kinds = new Set<Kind>()
    withIds(body, (kind) => {
      kinds.add(kind)
      return 0
    })
    const ids = new Map<Kind, Id>()
    for (const kind of kinds) ids.set(kind, await this.id(kind))
    return withIds(body, (kind) => ids.get(kind)!)
  }

  async reserve(): Promise<{ readonly media_id: string; readonly upload_url: string }> {
    return this.call("POST", "/v1/media/create-upload-url", {
      mime_type: "image/png",
      size_bytes: picture.length,
      name: "pixel.png"
    })
  }

  /** The request that fills a reservation. */
  upload({ upload_url }: { readonly upload_url: string }): WireRequest {
    const { pathname, search } = new URL(upload_url)
    return {
      method: "PUT",
      target: pathname + search,
      headers: { "content-type": "image/png" },
      body: picture
    }
  }

  readonly #makers: Readonly<Record<Kind, () => Promise<Id>>> = {
    account: async () => {
      const username = `${this.name}${randomBytes(4).toString("hex")}`
      const credentials = { username, password: "sandbox" }
      return (await this.call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })).id
    },
    /** A person has signed in with two accounts, one of which the example chooses. */
    pending: async () => {
      const { authorize_url, pending_id } = await this.call("POST", "/v1/social-accounts/connect", {
        platform: "instagram",
        login: "facebook",
        redirect_url: "http://127.0.0.1:9/done"
      })
      await Effect.runPromise(visitConsentPage(authorize_url, "bells-two"))
      return pending_id
    },
    media: async () => {
      const reservation = await this.reserve()
      await this.send(this.upload(reservation))
      return reservation.media_id
    },
    /** A workspace has few of them: all but the one that stays make room. */
    webhook: async () => {
      const { data } = await this.call("GET", "/v1/webhooks")
      for (const { id } of data) {
        if (id !== this.#ids.get("webhook")) await this.call("DELETE", `/v1/webhooks/${id}`)
      }
      return this.#created("webhook")
    },
    /** A post has few of them: all but the one that stays make room. */
    review_link: async () => {
      const links = `/v1/posts/${await this.id("post")}/review-links`
      for (const { id } of (await this.call("GET", links)).data) {
        if (id !== this.#ids.get("review_link")) await this.call("DELETE", `${links}/${id}`)
      }
      return (await this.call("POST", links)).id
    },
    /** They are the instance's: from another workspace there are none. */
    platform_app: async () => {
      const app = { client_id: "1234567", client_secret: "sandbox" }
      const { status } = await this.send(json("PUT", "/v1/platform-apps/pinterest", app))
      return status === 403 ? "nobody" : "pinterest"
    },
    /** They are a person's, and no API makes them. */
    session: () => Promise.resolve(randomUUID()),
    passkey: () => Promise.resolve(randomUUID()),
    connected_app: () => Promise.resolve(randomUUID()),
    delivery: async () => (await this.call("POST", `/v1/webhooks/${await this.id("webhook")}/test`)).id,
    result: async () => {
      const post = await this.call("GET", `/v1/posts/${await this.fresh("post")}`)
      return post.results[0].id
    }
  }
}
