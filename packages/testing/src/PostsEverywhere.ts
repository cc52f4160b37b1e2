import { PlatformId } from "@carillon/sandbox/Platforms"
import { Effect } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { connectAccount } from "./ConnectedAccount.ts"
import { Service } from "./ServiceProcess.ts"
import { make as makeDirectory } from "./TestDirectory.ts"
import { uprightVideo } from "./UprightVideo.ts"

/** What a network is asked for beside text and files, and what it has then. */
interface Asked {
  readonly options?: Readonly<Record<string, string | boolean>>
  readonly published: object
  /** What the items after the first have. */
  readonly following?: object
}

export interface Everywhere {
  readonly what: string
  readonly caption: string
  readonly files: ReadonlyArray<string>
  readonly thread: ReadonlyArray<string>
  /** Every network that takes it. */
  readonly asked: Partial<Record<PlatformId, Asked>>
}

export const networks = PlatformId.literals

const film = "film.mp4"
const pictures = ["red.jpg", "teal.jpg", "navy.jpg", "gold.jpg"]

/** Writes the files into a directory of their own, which goes with the scope. */
export const files = Effect.gen(function* () {
  const directory = yield* makeDirectory
  yield* Effect.promise(async () => {
    await writeFile(join(directory, film), uprightVideo())
    for (const file of pictures) {
      const picture = { width: 800, height: 1000, channels: 3, background: file.slice(0, -4) } as const
      await sharp({ create: picture }).jpeg().toFile(join(directory, file))
    }
  })
  return directory
})

const disableRule = { $type: "app.bsky.feed.postgate#disableRule" }

const caption = "Evening bells\nfrom the valley 🔔"

export const posts: ReadonlyArray<Everywhere> = [
  {
    what: "a video",
    caption,
    files: [film],
    thread: [],
    asked: {
      sandbox: { options: { title: "Bells" }, published: { title: "Bells" } },
      tiktok: {
        options: { privacy_level: "SELF_ONLY", is_aigc: true },
        published: { details: { privacy_level: "SELF_ONLY", is_aigc: true } }
      },
      instagram: {
        options: { share_to_feed: true },
        published: { details: { media_type: "REELS", share_to_feed: true } }
      },
      youtube: {
        options: { title: "Bells", privacy_status: "unlisted" },
        published: { title: "Bells", details: { privacyStatus: "unlisted" } }
      },
      pinterest: {
        options: { title: "Bells", board_ids: "Recipes" },
        published: { title: "Bells", details: { source_type: "video_id" } }
      },
      telegram: {
        options: { silent: true },
        published: { details: { method: "sendVideo", disable_notification: true } }
      },
      discord: { options: { silent: true }, published: { details: { flags: 4096 } } },
      mastodon: {
        options: { visibility: "unlisted" },
        published: { details: { visibility: "unlisted" } }
      },
      bluesky: {
        options: { quote_gate: "nobody" },
        published: { details: { embed: { $type: "app.bsky.embed.video" }, postgate: [disableRule] } }
      },
      twitter: { options: { made_with_ai: true }, published: { details: { made_with_ai: true } } },
      linkedin: {
        options: { visibility: "CONNECTIONS" },
        published: { details: { visibility: "CONNECTIONS", content: { media: {} } } }
      },
      threads: {
        options: { reply_control: "mentioned_only" },
        published: { details: { media_type: "VIDEO", reply_control: "mentioned_only" } }
      },
      facebook: {
        options: { placement: "reel" },
        published: { details: { edge: "video_reels" } }
      }
    }
  },
  {
    what: "four pictures",
    caption,
    files: pictures,
    thread: [],
    asked: {
      sandbox: { published: {} },
      tiktok: {
        options: { privacy_level: "SELF_ONLY" },
        published: { details: { privacy_level: "SELF_ONLY" } }
      },
      instagram: { published: { details: { media_type: "CAROUSEL" } } },
      pinterest: {
        options: { board_ids: "Recipes" },
        published: { details: { source_type: "multiple_image_base64" } }
      },
      telegram: { published: { details: { method: "sendMediaGroup" } } },
      discord: { published: {} },
      mastodon: { options: { spoiler_text: "Bells" }, published: { details: { spoiler_text: "Bells" } } },
      bluesky: {
        options: { reply_gate: "nobody" },
        published: { details: { embed: { $type: "app.bsky.embed.images" }, threadgate: [] } }
      },
      twitter: {
        options: { reply_settings: "following" },
        published: { details: { reply_settings: "following" } }
      },
      linkedin: {
        options: { disable_reshare: true },
        published: {
          details: { isReshareDisabledByAuthor: true, content: { multiImage: { images: [{}, {}, {}, {}] } } }
        }
      },
      threads: {
        options: { topic_tag: "Bells" },
        published: { details: { media_type: "CAROUSEL", topic_tag: "Bells" } }
      },
      facebook: { published: { details: { edge: "feed" } } }
    }
  },
  {
    what: "a picture",
    caption: "A bell in red",
    files: ["red.jpg"],
    thread: [],
    asked: {
      sandbox: { published: {} },
      tiktok: {
        options: { privacy_level: "SELF_ONLY" },
        published: { details: { privacy_level: "SELF_ONLY" } }
      },
      instagram: { published: { details: { media_type: "IMAGE" } } },
      pinterest: {
        options: { board_ids: "Recipes" },
        published: { details: { source_type: "image_base64" } }
      },
      telegram: { published: { details: { method: "sendPhoto" } } },
      discord: { published: {} },
      mastodon: { published: {} },
      bluesky: { published: { details: { embed: { $type: "app.bsky.embed.images" } } } },
      twitter: { published: {} },
      linkedin: { published: { details: { content: { media: {} } } } },
      google_business: {
        options: { cta_action_type: "CALL" },
        published: { details: { callToAction: { actionType: "CALL" } } }
      },
      threads: { published: { details: { media_type: "IMAGE" } } },
      facebook: { published: { details: { edge: "feed" } } }
    }
  },
  {
    what: "a thread",
    caption: "The first bell",
    files: [],
    thread: ["The second", "The third"],
    asked: {
      sandbox: { published: {} },
      telegram: { published: { details: { method: "sendMessage" } } },
      discord: { published: {} },
      mastodon: {
        options: { visibility: "unlisted" },
        published: { details: { visibility: "unlisted" } }
      },
      bluesky: {
        options: { reply_gate: "followers", quote_gate: "nobody" },
        published: {
          details: {
            threadgate: [{ $type: "app.bsky.feed.threadgate#followerRule" }],
            postgate: [disableRule]
          }
        },
        following: { details: { postgate: [disableRule] } }
      },
      twitter: {
        options: { paid_partnership: true },
        published: { details: { paid_partnership: true } },
        following: { details: { paid_partnership: true } }
      },
      threads: { published: { details: { media_type: "TEXT" } } }
    }
  }
]

/** As REST takes it. */
export const postOf = ({ caption, thread, asked }: Everywhere, media: ReadonlyArray<string>) => ({
  caption,
  media,
  thread,
  platform_configurations: Object.fromEntries(
    Object.entries(asked).map(([network, { options = {} }]) => [
      network,
      "board_ids" in options ? { ...options, board_ids: [options["board_ids"]] } : options
    ])
  )
})

/** An account at every network. */
export const accountsEverywhere = Effect.fnUntraced(function* (username: string) {
  const ids = yield* Effect.forEach(networks, (network) => connectAccount(network, username))
  return new Map<PlatformId, number>(networks.map((network, index) => [network, ids[index]!]))
})

/** The ids of a post's files in the library. */
export const upload = (directory: string, { files: names }: Everywhere) =>
  Effect.forEach(names, (name) =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => readFile(join(directory, name)))
      return yield* (yield* Service).upload(bytes, name === film ? "video/mp4" : "image/jpeg", name)
    })
  )
