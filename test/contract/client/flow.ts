// What a stranger writes with a client generated from /v1/openapi.json: upload, create, list, result.
import { setTimeout } from "node:timers/promises"
import { client } from "./.generated/client/client.gen.js"
import {
  accountsConnect,
  mediaComplete,
  mediaReserve,
  mediaUpload,
  postsCreate,
  postsGet,
  postsList,
  resultsList
} from "./.generated/client/sdk.gen.js"
import type { Post, Problem } from "./.generated/client/types.gen.js"

client.setConfig({ baseUrl: process.env["CARILLON_URL"]!, auth: process.env["CARILLON_API_KEY"]! })

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const account = await accountsConnect({
  body: { platform: "sandbox", credentials: { username: "generated", password: "sandbox" } },
  throwOnError: true
})

const reserved = await mediaReserve({
  body: { mime_type: "image/png", size_bytes: picture.length, name: "pixel.png" },
  throwOnError: true
})
const { searchParams } = new URL(reserved.data.upload_url)
const media_id = reserved.data.media_id
await mediaUpload({
  path: { media_id },
  query: { expires: searchParams.get("expires")!, signature: searchParams.get("signature")! },
  body: new Blob([picture]),
  headers: { "Content-Type": "image/png" },
  throwOnError: true
})
const media = await mediaComplete({ path: { media_id }, throwOnError: true })

const created = await postsCreate({
  body: { social_accounts: [account.data.id], caption: "From a generated client", media: [media.data.id] },
  throwOnError: true
})
let post: Post = created.data
for (let i = 0; post.status === "scheduled" && i < 400; i++) {
  await setTimeout(100)
  post = (await postsGet({ path: { post_id: post.id }, throwOnError: true })).data
}

const listed = await postsList({ query: { status: ["published"], limit: 10 }, throwOnError: true })
const results = await resultsList({ query: { post_id: [post.id] }, throwOnError: true })

const refused = await postsCreate({ body: { social_accounts: [account.data.id] } })
const problem: Problem | undefined = refused.error

console.log(
  JSON.stringify({
    media: media.data.status,
    post: post.status,
    total: listed.data.meta.total,
    listed: listed.data.data[0]?.id === post.id,
    result: results.data.data[0]?.status,
    refused: problem?.code
  })
)
