import { hasScope, Scope, appScopes } from "@carillon/domain"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { type Operation, operationOf } from "./Document.ts"

import type { InProcessService } from "./InProcessService.ts"
import { Tenant } from "./Tenant.ts"
import { json, type WireRequest } from "./Wire.ts"

/** What a credential sees of a thing: nothing, its own targets of several, all. */
export type Seen = "none" | "part" | "all"

/** A request, and how it is answered. */
export interface Case {
  readonly what: string
  readonly request: WireRequest
  readonly status: number
}

export interface Limited {
  readonly name: string
  readonly as: Tenant
  readonly scopes: ReadonlyArray<Scope>
}

const far = "2090-01-01T10:00:00.000Z"
let nextAccount = 61_110_001
const keyScopes = Scope.literals.filter((scope) => scope !== "admin")

/** One account that credentials are for, one that they are not for, and posts to either and to both. */
export class Part {
  readonly tenant: Tenant
  readonly own: number
  readonly foreign: number
  readonly run: InProcessService["Service"]["run"]
  /** What nobody may read who is only for `own`. */
  readonly secrets: Array<string>

  constructor(tenant: Tenant, run: InProcessService["Service"]["run"], own: number, foreign: number) {
    this.tenant = tenant
    this.run = run
    this.own = own
    this.foreign = foreign
    this.secrets = [String(foreign), "canary"]
  }

  static async make(tenant: Tenant, { run }: InProcessService["Service"]): Promise<Part> {
    // Numbers that no other number in an answer holds.
    const first = (nextAccount += 1000)
    await run(
      (sql) => sql`alter table social_accounts alter column id restart with ${sql.literal(String(first))}`
    )
    const own = Number(await tenant.fresh("account"))
    // Of another platform, whose options the post then has.
    const rows = await run(
      (sql) => sql<{ id: bigint }>`
        insert into social_accounts (workspace_id, platform, remote_id, username, status, credentials, connected_at, created_at)
        select workspace_id, 'bluesky', ${`did:canary:${first}`}, 'canary', status, credentials, connected_at, created_at
        from social_accounts where id = ${BigInt(own)} returning id`
    )
    return new Part(tenant, run, own, Number(rows[0]!.id))
  }

  /** A key and an app's grant for `own`, with all that such a one may have. */
  async credentials(
    service: InProcessService["Service"],
    audience: "v1" | "mcp"
  ): Promise<ReadonlyArray<Limited>> {
    const key = await service.makeKey(service.workspace, keyScopes, [this.own])
    const [token, grant, member] = [randomBytes(32).toString("base64url"), randomUUID(), randomUUID()]
    const payload = JSON.stringify({ aud: `${service.url}/${audience}`, scope: appScopes.join(" ") })
    await this.run(
      (sql) => sql`
        with member as (
          insert into members (id, name, password_hash, role, created_at)
          values (${member}, ${member}, '', 'member', now()) returning id
        ), seated as (
          insert into memberships (member_id, workspace_id, role) select id, ${service.workspace}, 'editor' from member
        ), granted as (
          insert into grants (id, member_id, workspace_id, client_id, client_name, audience, asked_scopes, scopes,
            social_accounts, needs_approval, created_at)
          select ${grant}, id, ${service.workspace}, 'test', 'Test app', ${`${service.url}/${audience}`}, ${appScopes}::text[],
            ${appScopes}::text[], ${[BigInt(this.own)]}::bigint[], false, now() from member returning id
        )
        insert into oauth_records (model, id_hash, payload, grant_id, expires_at)
        select 'AccessToken', ${createHash("sha256").update(token).digest()}, ${payload}::jsonb, id, now() + interval '1 hour'
        from granted`
    )
    return [
      { name: "a key", as: new Tenant(service.url, key, "key"), scopes: keyScopes },
      { name: "an app", as: new Tenant(service.url, token, "app"), scopes: appScopes }
    ]
  }

  /** A post of which so much is seen. */
  async post(seen: Seen, fields: object = {}): Promise<any> {
    const to = { none: [this.foreign], part: [this.own, this.foreign], all: [this.own] }[seen]
    const post = await this.tenant.call("POST", "/v1/posts", {
      caption: seen === "none" ? "canary" : "Shared words",
      social_accounts: to,
      scheduled_at: far,
      ...(seen === "part"
        ? {
            platform_configurations: { bluesky: { langs: ["fr"], caption: "canary" }, sandbox: {} },
            account_configurations: [
              { account_id: this.own, caption: "Own words" },
              { account_id: this.foreign, caption: "canary" }
            ]
          }
        : {}),
      ...fields
    })
    if (seen === "none") this.secrets.push(post.id)
    for (const { id, social_account_id } of post.results) {
      if (social_account_id === this.foreign) this.secrets.push(id)
    }
    return post
  }

  /** The same with its targets in these states, and the status that follows from all of them. */
  async settled(
    seen: Seen,
    states: Readonly<Record<"own" | "foreign", string>>,
    status: string
  ): Promise<any> {
    const post = await this.post(seen)
    for (const [account, state] of [
      [this.own, states.own],
      [this.foreign, states.foreign]
    ] as const) {
      await this.run(
        (sql) => sql`
          update targets set state = ${state}, next_step_at = case when ${state} = 'waiting' then next_step_at end,
            published_at = case when ${state} = 'published' then now() end
          where post_id = ${post.id} and social_account_id = ${BigInt(account)}`
      )
    }
    await this.run(
      (sql) => sql`update posts set status = ${status}, scheduled_at = now() where id = ${post.id}`
    )
    return post
  }

  async media(seen: Seen | "draft of others", fields: object = {}): Promise<string> {
    const media = String(await this.tenant.fresh("media"))
    await this.post(seen === "draft of others" ? "none" : seen, { media: [media], ...fields })
    return media
  }

  /** What the operation is asked by who is for `own` alone; null: it is for `admin`. */
  async cases(operation: Operation): Promise<ReadonlyArray<Case> | null> {
    if (operation.scope === "admin") return null
    const make = this.#cases[operation.id]
    if (make === undefined) {
      throw new Error(
        `test/contract/Part.ts does not say what ${operation.id} shows of accounts that a credential is not for`
      )
    }
    return make()
  }

  async #of(
    id: string,
    statuses: Readonly<Record<Seen, number>>,
    path: (seen: Seen) => Promise<string | number>,
    body?: object
  ): Promise<ReadonlyArray<Case>> {
    const operation = operationOf(id)
    const cases: Array<Case> = []
    for (const seen of ["none", "part", "all"] as const) {
      const of = await path(seen)
      const target = operation.path.replace(/\{\w+\}/, String(of))
      cases.push({ what: seen, request: json(operation.method, target, body), status: statuses[seen] })
    }
    return cases
  }

  async #ask(id: string, status: number, body?: object, queries: ReadonlyArray<string> = [""]) {
    const { method, path } = operationOf(id)
    return queries.map((query): Case => ({ what: query, request: json(method, path + query, body), status }))
  }

  #posted = (seen: Seen) => this.post(seen).then(({ id }) => id)
  #failed = (seen: Seen) =>
    this.settled(seen, { own: "failed", foreign: "failed" }, "failed").then(({ id }) => id)
  /** Of a post to both the foreign result, else the only one. */
  #result = async (seen: Seen) => {
    const { results } = await this.post(seen === "all" ? "part" : seen)
    const wanted = seen === "all" ? this.own : this.foreign
    return results.find(({ social_account_id: id }: any) => id === wanted).id
  }
  #unconfirmed = async (seen: Seen) => {
    const { results } = await this.settled(
      seen === "none" ? "none" : "part",
      { own: "unconfirmed", foreign: "unconfirmed" },
      "failed"
    )
    const wanted = seen === "all" ? this.own : this.foreign
    return results.find(({ social_account_id: id }: any) => id === wanted).id
  }
  #account = (seen: Seen) => Promise.resolve(seen === "all" ? this.own : this.foreign)
  #credentials = { username: `part${randomBytes(4).toString("hex")}`, password: "sandbox" }

  async #written(id: string, status: number) {
    const { method, path } = operationOf(id)
    return [[this.foreign], [this.own, this.foreign], [this.own]].map((social_accounts, index): Case => ({
      what: `to ${social_accounts.join(" and ")}`,
      request: json(method, path, { social_accounts, caption: "x", scheduled_at: far }),
      status: index === 2 ? status : 403
    }))
  }

  /** By operation; of results "part" is the foreign one of a post to both, of accounts everything foreign. */
  readonly #cases: Readonly<Record<string, () => Promise<ReadonlyArray<Case>>>> = {
    postsCreate: () => this.#written("postsCreate", 201),
    postsValidate: () => this.#written("postsValidate", 200),
    postsList: () =>
      this.#ask("postsList", 200, undefined, [
        "",
        "?q=a",
        "?result=failed,unconfirmed",
        "?status=processing,failed&result=failed",
        "?status=scheduled,draft,failed,published",
        "?platform=bluesky",
        "?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z",
        `?social_account_id=${this.own}&status=scheduled`
      ]),
    postsCalendar: async () => {
      for (const seen of ["none", "part", "all"] as const) await this.post(seen)
      const days = "?from=2089-12-31&to=2090-01-02&per_day=200"
      return this.#ask("postsCalendar", 200, undefined, [
        "",
        days,
        `${days}&status=scheduled,draft`,
        `${days}&platform=bluesky,sandbox`,
        `${days}&social_account_id=${this.own}`
      ])
    },
    postsGet: () => this.#of("postsGet", { none: 404, part: 200, all: 200 }, this.#posted),
    postsUpdate: () =>
      this.#of("postsUpdate", { none: 404, part: 403, all: 200 }, this.#posted, { caption: "New" }),
    postsDelete: () => this.#of("postsDelete", { none: 404, part: 403, all: 200 }, this.#posted),
    postsPublish: () => this.#of("postsPublish", { none: 404, part: 403, all: 200 }, this.#posted),
    postsRequestApproval: () =>
      this.#of("postsRequestApproval", { none: 404, part: 403, all: 200 }, this.#posted),
    postsRetry: () => this.#of("postsRetry", { none: 404, part: 200, all: 200 }, this.#failed),
    clientReviewsAll: () => this.#of("clientReviewsAll", { none: 404, part: 200, all: 200 }, this.#posted),
    clientReviewsLinks: () =>
      this.#of("clientReviewsLinks", { none: 404, part: 403, all: 200 }, this.#posted),
    clientReviewsCreateLink: () =>
      this.#of("clientReviewsCreateLink", { none: 404, part: 403, all: 201 }, this.#posted),
    clientReviewsRevokeLink: async () => {
      const statuses = { none: 404, part: 403, all: 200 }
      const cases = await Promise.all(
        (["none", "part", "all"] as const).map(async (what) => {
          const links = `/v1/posts/${await this.#posted(what)}/review-links`
          const { id } = await this.tenant.call("POST", links)
          return { what, request: json("DELETE", `${links}/${id}`, undefined), status: statuses[what] }
        })
      )
      return cases
    },
    resultsList: () =>
      this.#ask("resultsList", 200, undefined, [
        "",
        "?status=all",
        "?status=waiting,published,failed",
        "?platform=bluesky",
        "?status=all&dismissed=false",
        "?platform=bluesky,sandbox&status=waiting"
      ]),
    resultsGet: () => this.#of("resultsGet", { none: 404, part: 404, all: 200 }, this.#result),
    resultsConfirm: () =>
      this.#of("resultsConfirm", { none: 404, part: 404, all: 200 }, this.#unconfirmed, { published: true }),
    resultsDismiss: () =>
      this.#of("resultsDismiss", { none: 404, part: 404, all: 200 }, this.#result, { dismissed: true }),
    queueGet: () => this.#ask("queueGet", 200),
    queueSet: () => this.#ask("queueSet", 403, { slots: [] }),
    queueSlots: async () => {
      await this.tenant.call("PUT", "/v1/queue", { slots: [{ day: "mon", time: "09:00" }] })
      return this.#ask("queueSlots", 200)
    },
    mediaReserve: () =>
      this.#ask("mediaReserve", 201, { mime_type: "image/png", size_bytes: 10, name: "a.png" }),
    mediaImport: () => this.#ask("mediaImport", 201, { url: "https://media.example/a.png" }),
    mediaComplete: () =>
      this.#of("mediaComplete", { none: 200, part: 200, all: 200 }, (seen) => this.media(seen)),
    // What it tells is in `test/rest/events.test.ts`.
    eventsStream: () => this.#ask("eventsStream", 200),
    mediaList: async () => {
      const hidden = await this.post("none", { media: [await this.tenant.fresh("media")] })
      return this.#ask("mediaList", 200, undefined, ["", "?type=image", `?post_id=${hidden.id}`])
    },
    mediaGet: () => this.#of("mediaGet", { none: 200, part: 200, all: 200 }, (seen) => this.media(seen)),
    mediaUpdate: () =>
      this.#of("mediaUpdate", { none: 409, part: 409, all: 200 }, (seen) => this.media(seen), {
        alt_text: "Bells"
      }),
    mediaDelete: async () => [
      ...(await this.#of("mediaDelete", { none: 409, part: 409, all: 409 }, (seen) => this.media(seen))),
      ...(await this.#of("mediaDelete", { none: 409, part: 409, all: 200 }, (seen) =>
        this.media(seen, { is_draft: true })
      ))
    ],
    accountsList: () => this.#ask("accountsList", 200, undefined, ["", "?platform=bluesky"]),
    accountsConnect: () =>
      this.#ask("accountsConnect", 201, { platform: "sandbox", credentials: this.#credentials }),
    accountsGet: () => this.#of("accountsGet", { none: 404, part: 404, all: 200 }, this.#account),
    accountsUpdate: () => this.#of("accountsUpdate", { none: 404, part: 404, all: 200 }, this.#account, {}),
    accountsDisconnect: async () => [
      {
        what: "none",
        request: json("DELETE", `/v1/social-accounts/${this.foreign}`, undefined),
        status: 404
      }
    ],
    accountsOptions: () => this.#of("accountsOptions", { none: 404, part: 404, all: 200 }, this.#account),
    accountsStartConnect: () => this.#ask("accountsStartConnect", 201, { platform: "tiktok" }),
    accountsConnectLink: () => this.#ask("accountsConnectLink", 201, { platform: "tiktok" }),
    // Only the credential that began it is answered.
    accountsPending: () =>
      this.#of("accountsPending", { none: 404, part: 404, all: 404 }, () => this.tenant.id("pending")),
    accountsChoose: () =>
      this.#of("accountsChoose", { none: 404, part: 404, all: 404 }, () => this.tenant.id("pending"), {
        accounts: ["bells-shop"]
      }),
    profileGet: () => this.#ask("profileGet", 200),
    instanceGet: () => this.#ask("instanceGet", 200),
    sessionConfirm: () => this.#ask("sessionConfirm", 200, { password: "not looked at" })
  }

  /** What an answer tells that was not in the request. */
  leaks(request: WireRequest, text: string): ReadonlyArray<string> {
    const said = `${request.target} ${typeof request.body === "string" ? request.body : ""}`
    return this.secrets.filter((secret) => text.includes(secret) && !said.includes(secret))
  }
}

export const may = ({ scopes }: Limited, { membersOnly, scope }: Operation) =>
  membersOnly === null && hasScope(scopes, scope!)
