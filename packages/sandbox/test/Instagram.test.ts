import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type HostedFiles, jpeg, mediaHost } from "./MediaHost.ts"
import { send } from "./PlatformClient.ts"

// As a client that has read https://developers.facebook.com/docs/instagram-platform, and nothing else, would speak.
const redirectUri = "http://127.0.0.1:9/callback"
const logins = {
  instagram: {
    authorize: "/www.instagram.com/oauth/authorize",
    scopes: [
      "instagram_business_basic",
      "instagram_business_content_publish",
      "instagram_business_manage_comments"
    ]
  },
  facebook: {
    authorize: "/www.facebook.com/v25.0/dialog/oauth",
    scopes: [
      "instagram_basic",
      "instagram_content_publish",
      "instagram_manage_comments",
      "pages_show_list",
      "pages_read_engagement"
    ]
  }
}
const appOf = { client_id: "an-app", client_secret: "sandbox", redirect_uri: redirectUri }

const codeOf = Effect.fnUntraced(function* (login: keyof typeof logins, username: string) {
  const { authorize, scopes } = logins[login]
  const query = new URLSearchParams({
    client_id: "an-app",
    redirect_uri: redirectUri,
    response_type: "code",
    scope: scopes.join(","),
    state: "s"
  })
  const { headers } = yield* send(`${authorize}?${query}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([
      ["username", username],
      ["decision", "allow"],
      ...scopes.map((scope): [string, string] => ["scope", scope])
    ])
  })
  return new URL(headers.get("location")!).searchParams.get("code")!
})

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields)
})

const shortLived = Effect.fnUntraced(function* (username: string) {
  const code = yield* codeOf("instagram", username)
  return yield* send(
    "/api.instagram.com/oauth/access_token",
    form({ ...appOf, grant_type: "authorization_code", code })
  )
})

const client = (host: string, token: string, id: string) => {
  const call = (path: string, init: RequestInit = {}) =>
    send(`/${host}/v25.0${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
  return {
    token,
    id,
    call,
    container: (fields: Record<string, string>) => call(`/${id}/media`, form(fields)),
    status: (container: string) => call(`/${container}?fields=status_code,status,video_status`),
    publish: (container: string) => call(`/${id}/media_publish`, form({ creation_id: container }))
  }
}

const instagramClient = Effect.fnUntraced(function* (username: string) {
  const { body } = yield* shortLived(username)
  const { body: me } = yield* send("/graph.instagram.com/v25.0/me?fields=user_id,username", {
    headers: { authorization: `Bearer ${body.access_token}` }
  })
  return client("graph.instagram.com", body.access_token, me.user_id)
})

const facebookUser = Effect.fnUntraced(function* (username: string) {
  const code = yield* codeOf("facebook", username)
  const query = new URLSearchParams({ ...appOf, code })
  return (yield* send(`/graph.facebook.com/v25.0/oauth/access_token?${query}`)).body
})

const pagesOf = Effect.fnUntraced(function* (username: string) {
  const { access_token } = yield* facebookUser(username)
  return yield* send(
    "/graph.facebook.com/v25.0/me/accounts?fields=id,name,access_token,instagram_business_account{id,username}",
    { headers: { authorization: `Bearer ${access_token}` } }
  )
})

const files: HostedFiles = {
  "/square.jpg": ["image/jpeg", jpeg(1080, 1080)],
  "/other.jpg": ["image/jpeg", Buffer.concat([jpeg(1080, 1350), Buffer.from("other")])],
  "/wide.jpg": ["image/jpeg", jpeg(1440, 300)],
  "/drawing.png": ["image/png", Buffer.from("png")],
  "/film.mp4": ["video/mp4", Buffer.alloc(70_000, 7)],
  "/film.avi": ["video/x-msvideo", Buffer.alloc(10)]
}

const errorOf = ({ status, body }: { readonly status: number; readonly body: any }) => [
  status,
  body.error.code,
  body.error.error_subcode
]

layer(SandboxProcess.layer, { excludeTestServices: true })(
  "Instagram, as the test network plays it",
  (it) => {
    it.effect("refuses to refresh a token that is younger than a day", () =>
      Effect.gen(function* () {
        const { body } = yield* shortLived("young")
        const query = new URLSearchParams({ grant_type: "ig_refresh_token", access_token: body.access_token })
        const { body: refused, status } = yield* send(`/graph.instagram.com/refresh_access_token?${query}`)
        assert.strictEqual(status, 400)
        assert.include(refused.error.message, "less than 24 hours old")
      })
    )

    it.effect("gives a token for an hour, and sixty days for that, once for each code", () =>
      Effect.gen(function* () {
        const code = yield* codeOf("instagram", "alice")
        const redeem = send(
          "/api.instagram.com/oauth/access_token",
          form({ ...appOf, grant_type: "authorization_code", code })
        )
        const { body, text } = yield* redeem
        assert.match(text, /"user_id":178414\d+/)
        assert.include(body.permissions, "instagram_business_content_publish")
        assert.strictEqual((yield* redeem).status, 400)
        const query = `client_secret=sandbox&access_token=${body.access_token}`
        const long = yield* send(`/graph.instagram.com/access_token?grant_type=ig_exchange_token&${query}`)
        assert.deepInclude(long.body, { token_type: "bearer", expires_in: 5_184_000 })
        const wrong = yield* send(
          `/graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=x&access_token=${body.access_token}`
        )
        assert.strictEqual(wrong.status, 400)
      })
    )

    it.effect("lists the Pages of a person with the tokens that publish for them", () =>
      Effect.gen(function* () {
        const { body } = yield* pagesOf("carol-two")
        assert.deepStrictEqual(
          body.data.map((page: any) => page.instagram_business_account?.username),
          ["carol-two", "carol-shop", undefined]
        )
        const [, shop] = body.data
        const page = client("graph.facebook.com", shop.access_token, shop.instagram_business_account.id)
        const limit = yield* page.call(`/${page.id}/content_publishing_limit?fields=config,quota_usage`)
        assert.deepInclude(limit.body.data[0], { quota_usage: 0 })
        assert.deepStrictEqual(
          errorOf(yield* client("graph.instagram.com", page.token, page.id).call("/me")),
          [400, 190, undefined]
        )
      })
    )

    it.effect("publishes an image that it has fetched as facebookexternalhit, once", () =>
      Effect.gen(function* () {
        const host = yield* mediaHost(files)
        const sandbox = yield* SandboxProcess
        const account = yield* instagramClient("dora")
        const { body } = yield* account.container({
          image_url: `${host.url}/square.jpg`,
          caption: "Grüße",
          alt_text: "A square"
        })
        assert.isAbove(Number(body.id), 2 ** 53)
        assert.deepStrictEqual(
          host.asked.map(({ method, headers }) => [method, headers["user-agent"]]),
          [
            ["HEAD", "facebookexternalhit/1.1"],
            ["GET", "facebookexternalhit/1.1"]
          ]
        )
        assert.strictEqual((yield* account.status(body.id)).body.status_code, "FINISHED")
        assert.lengthOf(yield* sandbox.on("instagram").publications("dora"), 0)
        const published = yield* account.publish(body.id)
        assert.strictEqual((yield* account.status(body.id)).body.status_code, "PUBLISHED")
        assert.strictEqual((yield* account.publish(body.id)).status, 400)
        const [post, ...more] = yield* sandbox.on("instagram").publications("dora")
        assert.lengthOf(more, 0)
        assert.deepInclude(post, { id: published.body.id, text: "Grüße" })
        assert.strictEqual(post!.media[0]!.alt_text, "A square")
        const { body: seen } = yield* account.call(`/${post!.id}?fields=permalink,timestamp`)
        assert.deepStrictEqual(Object.keys(seen), ["id", "permalink", "timestamp"])
        assert.match(seen.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
        const listed = yield* account.call(`/${account.id}/media?fields=id,caption&limit=5`)
        assert.deepStrictEqual(listed.body.data, [{ id: post!.id, caption: "Grüße" }])
        const { body: comment } = yield* account.call(`/${post!.id}/comments`, form({ message: "First" }))
        const comments = yield* account.call(`/${post!.id}/comments?fields=id,text`)
        assert.deepInclude(comments.body.data[0], { id: comment.id, text: "First" })
      })
    )

    it.effect("refuses what it could not fetch or does not take", () =>
      Effect.gen(function* () {
        const { url } = yield* mediaHost(files)
        const account = yield* instagramClient("eve-notrial")
        const refused = (fields: Record<string, string>) => Effect.map(account.container(fields), errorOf)
        for (const [fields, code, subcode] of [
          [{ image_url: `${url}/none.jpg` }, 9004, 2207052],
          [{ image_url: `${url}/moved.jpg` }, 9004, 2207052],
          [{ image_url: `${url}/ünicode.jpg` }, 9004, 2207052],
          [{ image_url: `${url}/drawing.png` }, 36001, 2207005],
          [{ image_url: `${url}/wide.jpg` }, 36003, 2207009],
          [{ image_url: `${url}/square.jpg`, caption: "x".repeat(2201) }, 36004, 2207010],
          [{ media_type: "VIDEO", video_url: `${url}/film.mp4` }, 100, 2207023],
          [{ media_type: "REELS", video_url: `${url}/film.mp4`, thumb_offset: "-1" }, 1, 2207057],
          [
            {
              media_type: "REELS",
              video_url: `${url}/film.mp4`,
              trial_params: `{"graduation_strategy":"MANUAL"}`
            },
            100,
            2207081
          ],
          [{ media_type: "CAROUSEL", children: "1,2" }, 100, 2207028],
          [{ media_type: "REELS", upload_type: "resumable" }, 100, undefined]
        ] as const) {
          assert.deepStrictEqual(yield* refused(fields), [400, code, subcode], JSON.stringify(fields))
        }
        const avi = yield* account.container({ media_type: "REELS", video_url: `${url}/film.avi` })
        const { body } = yield* account.status(avi.body.id)
        assert.strictEqual(body.status_code, "ERROR")
        assert.include(body.status, "2207026")
      })
    )

    it.effect("makes a carousel of children that are finished, and of no others", () =>
      Effect.gen(function* () {
        const { url } = yield* mediaHost(files)
        const sandbox = yield* SandboxProcess
        const account = yield* instagramClient("fay")
        const instagram = sandbox.on("instagram")
        yield* instagram.script("fay", [{ on: "media", fault: "processing", polls: 1 }])
        const video = yield* account.container({
          is_carousel_item: "true",
          media_type: "VIDEO",
          video_url: `${url}/film.mp4`
        })
        const image = yield* account.container({ is_carousel_item: "true", image_url: `${url}/other.jpg` })
        const parent = {
          media_type: "CAROUSEL",
          children: `${image.body.id},${video.body.id}`,
          caption: "Two"
        }
        assert.deepStrictEqual(errorOf(yield* account.container(parent)), [400, 9007, 2207027])
        assert.strictEqual((yield* account.status(video.body.id)).body.status_code, "IN_PROGRESS")
        assert.strictEqual((yield* account.status(video.body.id)).body.status_code, "FINISHED")
        assert.deepStrictEqual(errorOf(yield* account.publish(image.body.id)), [400, 24, 2207006])
        yield* account.publish((yield* account.container(parent)).body.id)
        const [post] = yield* instagram.publications("fay")
        assert.deepStrictEqual(
          post!.media.map(({ content_type }) => content_type),
          ["image/jpeg", "video/mp4"]
        )
      })
    )

    it.effect("takes a resumable upload in parts, and says how far it is", () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const { body } = yield* pagesOf("gil")
        const [page] = body.data
        const account = client("graph.facebook.com", page.access_token, page.instagram_business_account.id)
        const { body: container } = yield* account.container({
          media_type: "REELS",
          upload_type: "resumable"
        })
        const bytes = Buffer.alloc(200_000, 3)
        const upload = (offset: number, end: number) =>
          send(container.uri, {
            method: "POST",
            headers: {
              authorization: `OAuth ${page.access_token}`,
              offset: String(offset),
              file_size: String(bytes.length)
            },
            body: bytes.subarray(offset, end)
          })
        assert.strictEqual((yield* upload(0, 50_000)).body.debug_info.type, "PartialRequestError")
        const { body: far } = yield* account.status(container.id)
        assert.strictEqual(far.video_status.uploading_phase.bytes_transferred, 50_000)
        assert.strictEqual(far.status_code, "IN_PROGRESS")
        assert.strictEqual((yield* upload(0, 200_000)).status, 400)
        assert.deepInclude((yield* upload(50_000, 200_000)).body, { success: true })
        yield* account.publish(container.id)
        const [post] = yield* sandbox.on("instagram").publications("gil")
        assert.strictEqual(post!.media[0]!.size, 200_000)
      })
    )

    it.effect("takes one add-on of a caption, and a sound of a reel, with Facebook Login", () =>
      Effect.gen(function* () {
        const { url } = yield* mediaHost(files)
        const sandbox = yield* SandboxProcess
        const { body } = yield* pagesOf("ida")
        const [page] = body.data
        const { id } = page.instagram_business_account
        const account = client("graph.facebook.com", page.access_token, id)
        const own = yield* instagramClient("ida-own")
        const image = { image_url: `${url}/square.jpg` }
        const reel = { media_type: "REELS", video_url: `${url}/film.mp4` }
        const poll = { poll_attachment: '{"option_a":"High","option_b":"Low"}' }
        const prompt = { is_comment_prompt_used: "true" }
        const sound = (audio_id: string, audio_volume: number) => ({
          audio_configuration: JSON.stringify({ audio_id, audio_volume, video_volume: 20 })
        })
        const { body: found } = yield* account.call(
          `/ig_audio?audio_type=music&user_id=${id}&search_query=bells`
        )
        assert.deepStrictEqual(
          found.audio.map(({ title }: any) => title),
          ["Evening bells"]
        )
        const [{ audio_id }] = found.audio
        for (const [from, fields] of [
          [own, { ...image, ...poll }],
          [own, { ...reel, ...sound(audio_id, 80) }],
          [account, { ...image, ...poll, ...prompt }],
          [account, { ...image, poll_attachment: '["High"]' }],
          [account, { ...image, is_poll_duration_extended: "true" }],
          [account, { media_type: "STORIES", ...image, ...prompt }],
          [account, { ...image, ...sound(audio_id, 80) }],
          [account, { ...reel, ...sound(audio_id, 101) }],
          [account, { ...reel, ...sound("1", 80) }]
        ] as const) {
          const refused = errorOf(yield* from.container(fields))
          assert.deepStrictEqual(refused, [400, 100, undefined], JSON.stringify(fields))
        }
        const made = yield* account.container({
          ...reel,
          ...poll,
          ...sound(audio_id, 80),
          is_poll_duration_extended: "true"
        })
        yield* account.publish(made.body.id)
        const [post] = yield* sandbox.on("instagram").publications("ida")
        assert.deepInclude(post!.details, {
          poll_attachment: { option_a: "High", option_b: "Low" },
          is_poll_duration_extended: true,
          audio_configuration: { audio_id, audio_volume: 80, video_volume: 20 }
        })
      })
    )

    it.effect(
      "Instagram, as the test network plays it has a limit of publications, containers that run out, and stories in a list of their own",
      () =>
        Effect.gen(function* () {
          const { url } = yield* mediaHost(files)
          const account = yield* instagramClient("hal-quota")
          const story = yield* account.container({ media_type: "STORIES", image_url: `${url}/wide.jpg` })
          yield* account.publish(story.body.id)
          assert.lengthOf((yield* account.call(`/${account.id}/media?fields=id`)).body.data, 0)
          assert.lengthOf((yield* account.call(`/${account.id}/stories?fields=id`)).body.data, 1)
          const second = yield* account.container({ image_url: `${url}/square.jpg` })
          assert.deepStrictEqual(errorOf(yield* account.publish(second.body.id)), [403, 9, 2207042])
          yield* (yield* SandboxProcess)
            .on("instagram")
            .script("hal-quota", [
              { on: "media", fault: "processing", polls: 1, becomes: "failed", reason: "EXPIRED" }
            ])
          const third = yield* account.container({ image_url: `${url}/square.jpg` })
          yield* account.status(third.body.id)
          assert.strictEqual((yield* account.status(third.body.id)).body.status_code, "EXPIRED")
          assert.deepStrictEqual(errorOf(yield* account.publish(third.body.id)), [400, -2, 2207020])
        })
    )
  }
)
