import { type PlainBrowser, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import type { Answer } from "./Checker.ts"
import type { InProcessService } from "./InProcessService.ts"
import { send, type WireRequest } from "./Wire.ts"

type Service = InProcessService["Service"]
type Headers = Readonly<Record<string, string | undefined>>

/** Browsers that are signed in, and one that was. */
export class SignedIn {
  readonly owner: PlainBrowser
  /** The cookie of a session that worked, and has ended. */
  readonly ended: string
  /** The cookie of a member of another workspace. */
  readonly stranger: string
  readonly #service: Service

  constructor(service: Service, owner: PlainBrowser, ended: string, stranger: string) {
    this.#service = service
    this.owner = owner
    this.ended = ended
    this.stranger = stranger
  }

  static async make(service: Service): Promise<SignedIn> {
    const started = { url: service.url, output: service.words }
    const [owner, leaving] = [await signedInBrowser(started), await signedInBrowser(started)]
    const ended = cookieOf(leaving)
    const account = await leaving.visit("/account")
    await leaving.post("/sign-out", account.html, [])
    const [id, token] = [randomUUID(), randomBytes(32).toString("base64url")]
    await service.run(
      (sql) => sql`
        with member as (
          insert into members (id, name, password_hash, role, created_at)
          values (${id}, ${id}, '', 'member', now()) returning id
        )
        insert into sessions (token_hash, member_id, created_at, last_used_at, password_given_at, expires_at)
        select ${createHash("sha256").update(token).digest()}, id, now(), now(), now(), now() + interval '1 hour'
        from member`
    )
    const name = cookieOf(owner).split("=")[0]!.replace("visit", "session")
    return new SignedIn(service, owner, ended, `${name}=${token}`)
  }

  /** What a browser adds to a request of one of our pages, on localhost and under TLS. */
  own(method: string): Headers {
    return { ...this.plain(method), "sec-fetch-site": "same-origin" }
  }

  /** The same on plain http at another name. */
  plain(method: string): Headers {
    return {
      cookie: cookieOf(this.owner),
      "carillon-workspace": this.#service.workspace,
      ...(method === "GET" ? {} : { origin: this.#service.url })
    }
  }

  /** Without the headers that are undefined. */
  send(request: WireRequest, headers: Headers): Promise<Answer> {
    const all = Object.entries({ ...request.headers, ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined
    )
    return send(this.#service.url, { ...request, headers: Object.fromEntries(all) })
  }

  /** As one of our own pages asks, but for the request's own headers. */
  ask(request: WireRequest): Promise<Answer> {
    return this.send({ ...request, headers: {} }, { ...this.own(request.method), ...request.headers })
  }

  async call(method: string, target: string, body?: object, headers: Headers = {}) {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const answer = await this.send(
      { method, target, headers: type, ...json },
      { ...this.own(method), ...headers }
    )
    return { status: answer.status, body: JSON.parse(answer.text), headers: answer.headers }
  }
}

const cookieOf = ({ cookies }: PlainBrowser) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
