import { PlatformId } from "@carillon/domain"
import type { WireRequest } from "./Wire.ts"

/** The largest body that is read, and a little less. */
const most = 1024 * 1024 - 200

/** As many of a unit as a body of this size holds. */
const many = (unit: string | ((index: number) => string), size = most) => {
  const parts: Array<string> = []
  for (let length = 0; ;) {
    const part = typeof unit === "string" ? unit : unit(parts.length)
    length += part.length + 1
    if (length > size) return parts.join(",")
    parts.push(part)
  }
}

const json = (method: string, target: string) => (body: string | Uint8Array) => ({
  method,
  target,
  headers: { "content-type": "application/json" },
  body
})

const post = json("POST", "/v1/posts")
const validate = json("POST", "/v1/posts/validate")

const rpc = (message: string): WireRequest => ({
  method: "POST",
  target: "/mcp",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: message
})

const call = (name: string, args: string, id = 1) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`

const form = (target: string, body: string): WireRequest => ({
  method: "POST",
  target,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body
})

const unknownFields = (size?: number) => many((index) => `"field${index}":0`, size)
const longText = "x".repeat(most)
const escapes = "\\u0000".repeat(most / 6)
const deep = `${"[".repeat(most / 2)}${"]".repeat(most / 2)}`
const unknownMedia = many(() => `"0191f0a0-0000-7000-8000-00000000dead"`, 3000)

/** The longest thread of the longest captions that fits into a body. */
const longThread = (part: string) => {
  const caption = part.repeat(20_000 / part.length)
  const items = Math.min(24, Math.floor(most / (Buffer.byteLength(caption) + 20)) - 1)
  return { caption, thread: Array.from({ length: items }, () => ({ caption })) }
}

const tooLong = (accounts: ReadonlyArray<number>): Readonly<Record<string, WireRequest>> =>
  Object.fromEntries(
    Object.entries({
      "accented letters": "é",
      flags: "🇫🇷",
      "combined letters": "e\u0301",
      "joined emoji": "👨‍👩‍👧‍👦",
      addresses: "https://a.de "
    }).flatMap(([what, part]) => {
      const post = { social_accounts: accounts, ...longThread(part) }
      return [
        [`a thread of captions of ${what} that are too long`, validate(JSON.stringify(post))],
        [
          `a thread of captions of ${what} that are too long, joined`,
          validate(JSON.stringify({ ...post, thread_fallback: "join" }))
        ]
      ]
    })
  )

/** Requests that cost much to refuse, by what is wrong with them. All are refused. `accounts` exist. */
export const worstBodies = (accounts: ReadonlyArray<number>): Readonly<Record<string, WireRequest>> => ({
  ...tooLong(accounts),
  "wrong types in a list": post(`{"social_accounts":[${many('"a"')}]}`),
  "wrong types in a list that is short enough": post(
    `{"social_accounts":[${many('"a"', 500)}],"media":[${many("0", 150)}],"media_urls":[${many("0", 150)}]}`
  ),
  "nulls in every list": post(
    `{"social_accounts":[${many("null", most / 2)}],"media":[${many("null", most / 2)}]}`
  ),
  "wrong types, to validate": validate(`{"social_accounts":[${many("{}")}]}`),
  "unknown fields": post(`{${unknownFields()}}`),
  "thousands of unknown fields": post(`{${unknownFields(120_000)}}`),
  "unknown fields with long names": post(`{${many((index) => `"${index}${"n".repeat(10_000)}":0`)}}`),
  "unknown fields with quotes for names": post(`{${many((index) => `"${index}${'\\"'.repeat(500)}":0`)}}`),
  "one unknown field with a name of a megabyte": post(`{"${longText}":0}`),
  "account configurations of wrong accounts": post(
    `{"social_accounts":[1],"account_configurations":[${many('{"account_id":0}')}]}`
  ),
  "account configurations with unknown options": post(
    `{"social_accounts":[1],"account_configurations":[${many('{"x":0,"y":0}', 2800)}]}`
  ),
  "account configurations, twice for one account": post(
    `{"social_accounts":[1],"caption":"x","is_draft":true,"account_configurations":[${many('{"account_id":1}', 3000)}]}`
  ),
  "account configurations of wrong shapes": post(
    `{"social_accounts":[1],"account_configurations":[${many('{"title":{},"link":{},"privacy_status":{},"visibility":{},"alt_text":{},"poll":0,"tags":{},"thread":0}', 20_000)}]}`
  ),
  "options of every platform": post(
    `{"social_accounts":[1],"platform_configurations":{${PlatformId.literals
      .map((platform) => `"${platform}":{${many((index) => `"option${index}":0`, 12_000)}}`)
      .join(",")}}}`
  ),
  "unknown platforms": post(
    `{"social_accounts":[1],"platform_configurations":{${many((index) => `"p${index}":{}`)}}}`
  ),
  "lists within lists": post(
    `{"social_accounts":[1],"platform_configurations":{"twitter":{"thread":[${many("0", 9000)}]},"youtube":{"tags":[${many("0", 900)}]},"instagram":{"user_tags":[${many('{"u":0}', 150)}]}}}`
  ),
  "platform configurations, the same one again and again": post(
    `{"social_accounts":[1],"platform_configurations":{${many('"youtube":{"tags":0}')}}}`
  ),
  "lists that are too long, again and again": post(
    `{"social_accounts":[1],"platform_configurations":{"twitter":{"poll":{${many('"options":[0,0,0,0,0]')}}}}}`
  ),
  "lists of configurations, again and again": post(
    `{"social_accounts":[1],"account_configurations":[{${many('"thread":[]')}}]}`
  ),
  "a thread of thousands of items": post(`{"social_accounts":[1],"caption":"x","thread":[${many('"x"')}]}`),
  "a thread of items of wrong shapes": post(
    `{"social_accounts":[1],"caption":"x","thread":[${many('{"caption":0,"media":[0,{}],"thread":[]}', 9000)}]}`
  ),
  "a thread of captions that are too long": post(
    `{"social_accounts":[1],"thread":[${many(`"${"x".repeat(30_000)}"`)}]}`
  ),
  "a thread of items with thousands of media": post(
    `{"social_accounts":[1],"thread":[{"media":[${many('"0"', 60_000)}]},{"media":[${many('"0"', 60_000)}]}]}`
  ),
  "depth below an item of a thread": post(`{"social_accounts":[1],"thread":[{"media":${deep}}]}`),
  "accounts that do not exist": post(
    `{"caption":"x","social_accounts":[${Array.from({ length: 200 }, (_, index) => 9_000_000_000 + index).join(",")}]}`
  ),
  "thousands of accounts that do not exist": post(
    `{"caption":"x","social_accounts":[${many((index) => String(9_000_000_000 + index))}]}`
  ),
  "media that do not exist": post(`{"social_accounts":[1],"media":[${unknownMedia}]}`),
  "media with ids of ten kilobytes": post(
    `{"social_accounts":[1],"media":[${many(`"${"i".repeat(10_000)}"`)}]}`
  ),
  "addresses that are none": post(
    `{"social_accounts":[1],"media_urls":[${many(`"ftp://${"u".repeat(9000)}"`)}]}`
  ),
  "a caption of a megabyte": post(`{"social_accounts":[1],"caption":"${longText}"}`),
  "a caption of escapes": post(`{"social_accounts":[1],"caption":"${escapes}"}`),
  "a time of a megabyte": post(`{"social_accounts":[1],"caption":"x","scheduled_at":"${longText}"}`),
  "a time zone of a megabyte": post(
    `{"social_accounts":[1],"caption":"x","use_queue":{"timezone":"${longText}"}}`
  ),
  "a text where a list belongs": post(`{"social_accounts":"${longText}"}`),
  "an object where a text belongs": post(`{"social_accounts":[1],"caption":{${unknownFields(120_000)}}}`),
  "lists a megabyte deep": post(deep),
  "objects a megabyte deep": post(`${'{"a":'.repeat(most / 6)}0${"}".repeat(most / 6)}`),
  "depth below a field": post(`{"caption":${deep}}`),
  "brackets that are never closed": post("[".repeat(most)),
  "a number of a megabyte": post(`{"social_accounts":[${"9".repeat(most)}]}`),
  "numbers that are too large": post(`{"social_accounts":[${many("1e999")}]}`),
  "invalid UTF-8": post(new Uint8Array(most).fill(0xff)),
  "an endless text": post(`"${longText}`),
  "commas only": post(",".repeat(most)),
  "a list where an object belongs": post(`[${many("0")}]`),
  "too large": post(`"${"x".repeat(2 * most)}"`),
  "slots of the queue": json("PUT", "/v1/queue")(`{"slots":[${many("{}")}]}`),
  "slots at wrong times": json("PUT", "/v1/queue")(`{"slots":[${many('{"day":"x","time":"x"}', 11_000)}]}`),
  "scopes of a key": json("POST", "/v1/api-keys")(`{"name":"x","scopes":[${many('"x"')}]}`),
  "a scope again and again": json("POST", "/v1/api-keys")(`{"name":"x","scopes":[${many('"posts:read"')}]}`),
  "accounts of a key": json(
    "POST",
    "/v1/api-keys"
  )(`{"name":"x","scopes":["posts:read"],"social_accounts":[${many("0")}]}`),
  "events of a webhook": json(
    "POST",
    "/v1/webhooks"
  )(`{"url":"https://example.com","events":[${many('"x"')}]}`),
  "an event of a webhook again and again": json(
    "POST",
    "/v1/webhooks"
  )(`{"url":"https://example.com","events":[${many('"post.published"')}]}`),
  credentials: json(
    "POST",
    "/v1/social-accounts"
  )(`{"platform":"bluesky","credentials":{${unknownFields()}}}`),
  "a platform of a megabyte": json("POST", "/v1/social-accounts")(`{"platform":"${longText}"}`),
  "an import of a megabyte": json("POST", "/v1/media/import")(`{"url":"http://${longText}"}`),
  "a reservation": json("POST", "/v1/media/create-upload-url")(`{${unknownFields()}}`),
  "an unsigned upload page": json("POST", "/upload/x")(`{${unknownFields(60_000)}}`),
  "an unsigned upload page, larger": json("POST", "/upload/x")(`{${unknownFields()}}`),
  "a query of unknown parameters": {
    method: "GET",
    target: `/v1/posts?${many((index) => `p${index}`, 14_000).replaceAll(",", "&")}`,
    headers: {}
  },
  "a query of parameters where there are none": {
    method: "GET",
    target: `/v1/profile?${many((index) => `p${index}`, 14_000).replaceAll(",", "&")}`,
    headers: {}
  },
  "a query of thousands of values": {
    method: "GET",
    target: `/v1/posts?status=${many((index) => `s${index}`, 14_000)}`,
    headers: {}
  },
  "a parameter again and again": {
    method: "GET",
    target: `/v1/posts?${many("status=x", 14_000).replaceAll(",", "&")}`,
    headers: {}
  },
  "a long value of a parameter": {
    method: "GET",
    target: `/v1/posts?limit=${"%22".repeat(4500)}&offset=${"%00".repeat(200)}`,
    headers: {}
  },
  "a long address": { method: "GET", target: `/${"%22".repeat(4500)}`, headers: {} },
  "a long id": { method: "GET", target: `/v1/posts/${"%22".repeat(4500)}`, headers: {} },
  "a long idempotency key": {
    ...post("{}"),
    headers: { "content-type": "application/json", "idempotency-key": '"'.repeat(14_000) }
  },
  "a long content type": { ...post("{}"), headers: { "content-type": '"'.repeat(14_000) } },
  "a sign-in form": form("/sign-in", many("email=x", most).replaceAll(",", "&")),
  "a consent form": form("/oauth/consent/x", many("account=x", most).replaceAll(",", "&")),
  "an account's form": form("/oauth/callback/instagram", many("account=x", most).replaceAll(",", "&")),
  "a token form": form("/oauth/token", many("scope=x", most).replaceAll(",", "&")),
  "a token form with a long grant type": form("/oauth/token", `grant_type=${"%22".repeat(5000)}`),
  "an authorization with long parameters": {
    method: "GET",
    target: `/oauth/authorize?client_id=${"%22".repeat(2000)}&redirect_uri=${"%3C".repeat(2000)}`,
    headers: {}
  },
  "a registration": json("POST", "/oauth/register")(`{"redirect_uris":[${many('"x"', 16_000)}]}`),
  "a registration that is too large": json("POST", "/oauth/register")(`{"redirect_uris":[${many('"x"')}]}`),
  "a tool's wrong list": rpc(call("create_post", `{"social_accounts":[${many('"a"')}]}`)),
  "a tool's wrong list, shorter": rpc(call("create_post", `{"social_accounts":[${many('"a"', 38_000)}]}`)),
  "a tool's unknown arguments": rpc(call("create_post", `{${unknownFields(120_000)}}`)),
  "a tool's deep arguments": rpc(call("create_post", deep)),
  "a tool with a name of a megabyte": rpc(call(longText, "{}")),
  "arguments that are none": rpc(call("create_post", `[${many("0", 19_000)}]`)),
  "arguments of a prompt": rpc(
    `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x","arguments":{${unknownFields(100_000)}}}}`
  ),
  "a resource of a megabyte": rpc(
    `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"${longText}"}}`
  ),
  "an id of a megabyte": rpc(`{"jsonrpc":"2.0","id":"${longText}","method":"tools/call","params":{}}`),
  "a method of a megabyte": rpc(`{"jsonrpc":"2.0","id":1,"method":"${longText}"}`),
  "an initialization of wrong types": rpc(
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":0,"capabilities":[${many("0", 18_000)}],"clientInfo":{"name":0,"icons":[${many("0", 1000)}]}}}`
  ),
  "a message with unknown members": rpc(`{${unknownFields(120_000)}}`),
  "a batch": rpc(`[${many("{}")}]`),
  "a batch of thousands": rpc(`[${many("{}", 27_000)}]`),
  "a batch of calls": rpc(`[${many(call("list_posts", "{}"))}]`),
  "a batch of ten wrong calls, of which each has much to tell": rpc(
    `[${Array.from({ length: 10 }, (_, id) => call("create_post", `{${many((index) => `"${index}${'\\"'.repeat(500)}":0`, 60_000)}}`, id)).join(",")}]`
  ),
  "a batch of ten wrong messages with long ids": rpc(
    `[${Array.from({ length: 10 }, (_, index) => `{"jsonrpc":"2.0","id":"${index}${"\\u0001".repeat(900)}","method":"prompts/get","params":{"name":"x","arguments":{${unknownFields(9000)}}}}`).join(",")}]`
  ),
  "a batch of ten wrong calls": rpc(
    `[${Array.from({ length: 10 }, (_, id) => call("create_post", `{${unknownFields(12_000)}}`, id)).join(",")}]`
  )
})
