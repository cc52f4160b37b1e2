import type { PlatformId, Publication } from "@carillon/sandbox/testing"
import { typedAt, typedWebhook } from "./ConnectedAccount.ts"

/** The files that posts are made of. */
export type File = "film" | "square" | "other" | "upright" | "wide" | "paper"

export interface Board {
  readonly id: string
  readonly name: string
  readonly sections: ReadonlyArray<{ readonly id: string }>
}

/**
 * What a call is for. `waited`: it asks for a file that the network works on, if that takes time. `asked`: it only helps, so
 * the post goes out whatever becomes of it; a token is renewed all the same. `after`: it completes a post that is out
 * already, so its failure changes nothing.
 */
export type Purpose = "before" | "waited" | "asked" | "commit" | "look" | "after"

/** How an adapter publishes it, of which `adapters.test.ts` fails every call in turn. */
export interface AdapterCalls {
  /** Every call of it, as the network names them. */
  readonly calls: { readonly [operation: string]: Purpose }
  /** The same commit again is the same post: always, or for less than two hours, after which the post is looked for. */
  readonly key?: "lasts" | "ends"
  /** Faults that the documents do not know of a call, such as of a token where the address is the permission. */
  readonly unheard_of?: { readonly [operation: string]: ReadonlyArray<string> }
  /** Calls whose answer has no body that anything follows from. */
  readonly without_answer?: ReadonlyArray<string>
  /** The call that looks for it after a lost answer, where no other has shown that call, and how many are made before. */
  readonly lookup?: { readonly on: string; readonly before: number }
  /** Of two posts that are alike, and whose replies were both lost, nobody can tell which is which. */
  readonly doubts?: true
  /** The network refuses the same words twice. */
  readonly unique?: true
  /** The network cannot be read: what became of a post shows when it is sent once more. */
  readonly probe?: true
  /** An ending of the username that means something to the stand-in. */
  readonly ending?: string
  /** Bytes of its film, where they are more than a few, by the call that a test is about. */
  readonly film_bytes?: (on: string) => number
}

/** A sign-in that is not the network's usual one. */
export type Login = "facebook" | "linkedin_pages"

/** A kind of post of a network. A network's next kind is one more of these. */
export interface Walk {
  readonly what: string
  readonly network: PlatformId
  /** By default with the network's usual login, and the account of that name. */
  readonly signIn?: {
    readonly login?: Login
    /** What the platform wants to know before. */
    readonly fields?: Readonly<Record<string, string>>
    /** Which of the accounts offered, by position. */
    readonly choose?: ReadonlyArray<number>
  }
  readonly of?: string
  /** What a person types instead of signing in, for an account of this name. */
  readonly typed?: (username: string, network: string) => Readonly<Record<string, string>>
  /** The network cannot say what became of a post whose reply was lost. */
  readonly silent?: boolean
  readonly media: ReadonlyArray<File>
  /** `extra` uploads a further file; `boards` are those of the account, `network` is the test network's address. */
  readonly extra?: File
  readonly options: (
    extra: string | undefined,
    boards: ReadonlyArray<Board>,
    network: string
  ) => Readonly<Record<string, any>>
  /** Of the post as it is made. */
  readonly warnings?: ReadonlyArray<RegExp>
  /** What the network has then, and the types of its files. */
  readonly published: Partial<Publication>
  /** At least these, in the network's own words. */
  readonly details: (boards: ReadonlyArray<Board>) => object
  readonly types: ReadonlyArray<string>
  /** It has no public page. */
  readonly hidden?: boolean
  readonly adapter?: AdapterCalls
}

const title = "Evening bells"
/** What each of them says. */
export const caption = `${title}\nfrom the valley 🔔`
/** X puts addresses of its own in their place. */
const linked = "Bells & <more> at example.com/bells?now and https://example.org/♥, all 280 of them"
const jpeg = "image/jpeg"
const mp4 = "video/mp4"
const mebibyte = 1024 * 1024
const pdf = "application/pdf"

/** Addresses of files at LinkedIn know no account, and what they refuse is sent anew. */
const linkedinUpload = {
  unheard_of: { media: ["unauthorized", "forbidden", "rate_limited"] },
  without_answer: ["post", "media", "upload_end", "comment"],
  film_bytes: (on: string) => (on === "media" ? 9 * mebibyte : 100_000)
}

/** Before a text goes to X that is due, the newest posts are read, so that none of them is taken for it. */
const textOnX = {
  calls: { post_search: "asked", post: "commit" },
  lookup: { on: "post_search", before: 1 },
  unique: true
} satisfies AdapterCalls

/** Threads works on every container, on those of texts too. */
const onThreads = {
  calls: {
    media: "before",
    media_status: "before",
    publishing_limit: "asked",
    post: "commit",
    post_status: "after"
  }
} satisfies AdapterCalls

export const walks: ReadonlyArray<Walk> = [
  {
    what: "an album on Telegram",
    network: "telegram",
    typed: typedAt.telegram,
    silent: true,
    media: ["square", "film", "wide"],
    options: () => ({ silent: true, has_spoiler: true }),
    published: { text: caption },
    details: () => ({ method: "sendMediaGroup", disable_notification: true }),
    types: ["image/png", mp4, jpeg],
    adapter: { calls: { post: "commit" } }
  },
  {
    what: "a text on Telegram",
    network: "telegram",
    typed: typedAt.telegram,
    silent: true,
    media: [],
    options: () => ({ link_preview: "off" }),
    published: { text: caption },
    details: () => ({ method: "sendMessage", link_preview_options: { is_disabled: true } }),
    types: [],
    adapter: { calls: { post: "commit" } }
  },
  {
    what: "a formatted text with a button on Telegram, which is pinned",
    network: "telegram",
    typed: typedAt.telegram,
    silent: true,
    media: [],
    options: () => ({
      caption: "**Evening** 🔔 [bells](https://example.com/bells)",
      markup: "markdown",
      buttons: [[{ text: "Tickets", url: "https://example.com/tickets" }]],
      pin: true
    }),
    published: { text: "Evening 🔔 bells" },
    details: () => ({
      entities: [
        { type: "bold", offset: 0, length: 7 },
        { type: "text_link", offset: 11, length: 5, url: "https://example.com/bells" }
      ],
      reply_markup: { inline_keyboard: [[{ text: "Tickets", url: "https://example.com/tickets" }]] },
      pinned: true
    }),
    types: [],
    adapter: { calls: { post: "commit", pin: "after" } }
  },
  {
    what: "a quiz on Telegram",
    network: "telegram",
    typed: typedAt.telegram,
    silent: true,
    media: [],
    options: () => ({
      poll: { options: ["High", "Low"], correct_option: 1, explanation: "It was cast in 1410." }
    }),
    published: { text: caption },
    details: () => ({ type: "quiz", correct_option_ids: [1], explanation: "It was cast in 1410." }),
    types: []
  },
  {
    what: "files on Discord by a bot",
    network: "discord",
    typed: typedAt.discord,
    media: ["square", "film"],
    options: () => ({ alt_text: ["Red"], silent: true }),
    published: { text: caption },
    details: () => ({ flags: 4096, enforce_nonce: true, allowed_mentions: { parse: [] } }),
    types: [`image/png Red`, mp4],
    adapter: {
      calls: { post: "commit" },
      key: "ends",
      lookup: { on: "post_search", before: 0 }
    }
  },
  {
    what: "a picture on Discord by a webhook",
    network: "discord",
    typed: typedWebhook,
    silent: true,
    media: ["upright"],
    options: () => ({ username: "Ringer" }),
    published: { text: caption },
    details: () => ({ username: "Ringer" }),
    types: ["image/webp"],
    adapter: { calls: { post: "commit" } }
  },
  {
    what: "a thread in a Discord forum by a bot",
    network: "discord",
    typed: typedAt.discord,
    media: ["square"],
    options: () => ({ thread_name: title, applied_tags: ["News"] }),
    published: { title, text: caption },
    details: () => ({ thread: { name: title } }),
    types: ["image/png"],
    adapter: {
      calls: { account: "before", post: "commit" },
      lookup: { on: "post_search", before: 0 },
      ending: "-forum"
    }
  },
  {
    what: "an embed on Discord by a bot",
    network: "discord",
    typed: typedAt.discord,
    media: [],
    options: () => ({ caption: "", embeds: [{ title, color: "#5865f2" }] }),
    published: { text: "" },
    details: () => ({ embeds: [{ title, color: 0x5865f2 }] }),
    types: []
  },
  {
    what: "pictures on Mastodon",
    network: "mastodon",
    signIn: { fields: { server: "mastodon.sandbox" } },
    media: ["square", "upright"],
    options: () => ({ alt_text: ["Red", "Teal"], visibility: "unlisted", spoiler_text: "Bells" }),
    published: { text: caption },
    details: () => ({ visibility: "unlisted", spoiler_text: "Bells" }),
    types: [`image/png Red`, `image/webp Teal`],
    adapter: {
      calls: { media: "before", media_status: "waited", post: "commit" },
      key: "ends",
      lookup: { on: "post_search", before: 0 }
    }
  },
  {
    what: "a video on a Mastodon-compatible server that ignores the key",
    network: "mastodon",
    signIn: { fields: { server: "gotosocial.sandbox" } },
    media: ["film"],
    options: () => ({ sensitive: true, language: "en" }),
    published: { text: caption },
    details: () => ({ sensitive: true, language: "en", server: "gotosocial.sandbox" }),
    types: [mp4],
    adapter: {
      calls: { media: "before", media_status: "waited", post: "commit" },
      lookup: { on: "post_search", before: 0 }
    }
  },
  {
    what: "pictures on Bluesky",
    network: "bluesky",
    typed: typedAt.bluesky,
    media: ["square", "upright"],
    options: () => ({
      alt_text: ["Red", "Teal"],
      langs: ["en"],
      reply_gate: "followers",
      quote_gate: "nobody"
    }),
    published: { text: caption },
    details: () => ({
      embed: { $type: "app.bsky.embed.images", images: [{ aspectRatio: { width: 600, height: 600 } }, {}] },
      langs: ["en"],
      threadgate: [{ $type: "app.bsky.feed.threadgate#followerRule" }],
      postgate: [{ $type: "app.bsky.feed.postgate#disableRule" }]
    }),
    types: [`image/png Red`, `image/webp Teal`],
    adapter: { calls: { media: "before", post: "commit" }, key: "lasts" }
  },
  {
    what: "a video on Bluesky",
    network: "bluesky",
    typed: typedAt.bluesky,
    media: ["film"],
    options: () => ({
      alt_text: "Bells",
      labels: ["nudity"],
      captions: [{ lang: "en", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nBells" }],
      presentation: "gif"
    }),
    published: { text: caption },
    details: () => ({
      embed: {
        $type: "app.bsky.embed.video",
        captions: [{ lang: "en", file: { mimeType: "text/vtt", size: 37 } }],
        presentation: "gif"
      },
      labels: { values: [{ val: "nudity" }] }
    }),
    types: [`${mp4} Bells`]
  },
  {
    what: "a video on TikTok",
    network: "tiktok",
    media: ["film"],
    options: () => ({ video_cover_timestamp_ms: 100, is_aigc: true }),
    warnings: [/privacy_level/],
    published: { text: caption },
    details: () => ({ privacy_level: "PUBLIC_TO_EVERYONE", video_cover_timestamp_ms: 100, is_aigc: true }),
    types: [mp4],
    adapter: {
      calls: {
        creator_info: "before",
        upload_start: "before",
        media: "before",
        post: "commit",
        post_status: "look"
      },
      unheard_of: { media: ["unauthorized", "forbidden"], post: ["unauthorized", "forbidden"] },
      without_answer: ["media", "post"],
      // All but the last of its chunks go ahead.
      ending: "-pieces",
      film_bytes: (on) => (on === "media" ? 20 * mebibyte : 4)
    }
  },
  {
    what: "photos on TikTok, which it fetches from here",
    network: "tiktok",
    silent: true,
    media: ["square"],
    options: () => ({ title: "Bells", privacy_status: "private" }),
    published: { title: "Bells", text: caption },
    details: () => ({ privacy_level: "SELF_ONLY", photo_cover_index: 0 }),
    types: [jpeg],
    hidden: true,
    adapter: { calls: { creator_info: "before", post: "commit", post_status: "look" } }
  },
  {
    what: "a draft in the inbox of TikTok, which says what does not go with it",
    network: "tiktok",
    media: ["film"],
    options: () => ({ draft: true }),
    warnings: [/inbox/],
    published: { text: "" },
    details: () => ({ inbox: true }),
    types: [mp4],
    hidden: true
  },
  {
    what: "a picture on Instagram",
    network: "instagram",
    media: ["square"],
    options: () => ({ alt_text: "Red", first_comment: "First!", user_tags: ["alice", "@bob"] }),
    published: { text: caption },
    details: () => ({
      media_type: "IMAGE",
      user_tags: [
        { username: "alice", x: 0.5, y: 0.5 },
        { username: "bob", x: 0.5, y: 0.5 }
      ],
      comments: ["First!"]
    }),
    types: [`${jpeg} Red`],
    adapter: {
      calls: {
        media: "before",
        media_status: "before",
        publishing_limit: "asked",
        post: "commit",
        post_status: "after"
      }
    }
  },
  {
    what: "a trial reel on Instagram",
    network: "instagram",
    media: ["film"],
    extra: "square",
    options: (cover_image) => ({ is_trial_reel: true, trial_graduation: "SS_PERFORMANCE", cover_image }),
    published: { text: caption },
    details: () => ({
      media_type: "REELS",
      trial_params: { graduation_strategy: "SS_PERFORMANCE" },
      cover: { content_type: jpeg }
    }),
    types: [mp4]
  },
  {
    what: "a story on Instagram",
    network: "instagram",
    media: ["film"],
    options: () => ({ placement: "story" }),
    warnings: [/leaves out the caption/],
    published: { text: "" },
    details: () => ({ media_type: "STORIES" }),
    types: [mp4]
  },
  {
    what: "a carousel on Instagram",
    network: "instagram",
    media: ["other", "film", "square"],
    options: () => ({}),
    published: { text: caption },
    details: () => ({
      media_type: "CAROUSEL",
      items: [{ media_type: "IMAGE" }, { media_type: "VIDEO" }, { media_type: "IMAGE" }]
    }),
    types: [jpeg, mp4, jpeg],
    adapter: {
      calls: {
        media: "before",
        media_status: "before",
        publishing_limit: "asked",
        post: "commit",
        post_status: "after"
      }
    }
  },
  {
    what: "a reel on Instagram for the chosen one of a person's Pages, which takes bytes",
    network: "instagram",
    signIn: { login: "facebook", choose: [1] },
    of: "shop",
    media: ["film"],
    options: () => ({ share_to_feed: true }),
    published: { text: caption },
    details: () => ({ media_type: "REELS", share_to_feed: true }),
    types: [mp4],
    adapter: {
      calls: {
        media: "before",
        upload: "before",
        media_status: "before",
        publishing_limit: "asked",
        post: "commit",
        post_status: "after"
      },
      unheard_of: { upload: ["refuse", "forbidden", "rate_limited"] },
      film_bytes: () => 300_000
    }
  },
  {
    what: "a reel with music and a poll on Instagram",
    network: "instagram",
    signIn: { login: "facebook", choose: [1] },
    of: "shop",
    media: ["film"],
    options: () => ({ poll: { options: ["High", "Low"] }, audio_id: "9040001001", video_volume: 20 }),
    published: { text: caption },
    details: () => ({
      poll_attachment: { option_a: "High", option_b: "Low" },
      audio_configuration: { audio_id: "9040001001", video_volume: 20 }
    }),
    types: [mp4]
  },
  {
    what: "a video on YouTube",
    network: "youtube",
    media: ["film"],
    extra: "wide",
    options: (thumbnail) => ({
      privacy_status: "unlisted",
      thumbnail,
      playlist_ids: ["PLbells"],
      first_comment: "First!"
    }),
    published: { title, text: caption },
    details: () => ({
      comments: ["First!"],
      privacyStatus: "unlisted",
      thumbnail: { content_type: jpeg },
      playlists: ["PLbells"]
    }),
    types: [mp4],
    adapter: {
      calls: {
        upload_start: "before",
        media: "before",
        post: "commit",
        thumbnail: "after",
        playlist: "after"
      },
      without_answer: ["upload_start", "media"],
      lookup: { on: "post_search", before: 0 },
      film_bytes: () => mebibyte + 3
    }
  },
  {
    what: "a picture on Pinterest",
    network: "pinterest",
    media: ["upright"],
    options: (_, [board]) => ({
      title,
      link: "https://example.com/bells",
      alt_text: "A bell",
      board_ids: [board!.id],
      board_section_id: board!.sections[0]!.id
    }),
    published: { title, text: caption },
    details: ([board]) => ({
      board_id: board!.id,
      board_section_id: board!.sections[0]!.id,
      link: "https://example.com/bells",
      source_type: "image_base64"
    }),
    // Pinterest takes no WebP in a request.
    types: [`${jpeg} A bell`],
    // The same call reads the board before and looks on it after.
    adapter: {
      calls: { post_search: "asked", post: "commit" },
      lookup: { on: "post_search", before: 1 },
      doubts: true
    }
  },
  {
    what: "several pictures on Pinterest",
    network: "pinterest",
    media: ["upright", "upright"],
    options: (_, boards) => ({ board_ids: [boards[1]!.id] }),
    published: { text: caption },
    details: (boards) => ({ board_id: boards[1]!.id, source_type: "multiple_image_base64" }),
    types: [jpeg, jpeg]
  },
  {
    what: "a video on Pinterest with a cover",
    network: "pinterest",
    media: ["film"],
    extra: "upright",
    options: (cover_image, [board]) => ({ board_ids: [board!.id], cover_image }),
    published: { text: caption },
    details: ([board]) => ({ board_id: board!.id, source_type: "video_id" }),
    types: [mp4],
    adapter: {
      calls: {
        post_search: "asked",
        upload_start: "before",
        media: "before",
        media_status: "before",
        post: "commit"
      },
      // The store that videos go to knows no account, and what it refuses begins anew.
      unheard_of: { media: ["unauthorized", "forbidden", "rate_limited"] },
      without_answer: ["media"],
      doubts: true,
      film_bytes: () => 300_000
    }
  },
  {
    what: "a video on Pinterest with one of its frames as the cover",
    network: "pinterest",
    media: ["film"],
    options: (_, [board]) => ({ board_ids: [board!.id], video_cover_timestamp_ms: 500 }),
    published: { text: caption },
    details: ([board]) => ({ board_id: board!.id, source_type: "video_id" }),
    types: [mp4]
  },
  {
    what: "pictures on X",
    network: "twitter",
    media: ["square", "upright"],
    options: () => ({ alt_text: ["Red", "Teal"], reply_settings: "following", made_with_ai: true }),
    published: { text: caption },
    details: () => ({ reply_settings: "following", made_with_ai: true }),
    types: ["image/png Red", "image/webp Teal"],
    adapter: {
      calls: { media: "before", media_status: "waited", metadata: "before", post: "commit" },
      without_answer: ["metadata"],
      lookup: { on: "post_search", before: 0 }
    }
  },
  {
    what: "a picture on X",
    network: "twitter",
    media: ["wide"],
    options: () => ({ paid_partnership: true }),
    published: { text: caption },
    details: () => ({ paid_partnership: true }),
    types: ["image/webp"]
  },
  {
    what: "a video on X with subtitles",
    network: "twitter",
    media: ["film"],
    options: () => ({ captions: [{ lang: "de", text: "WEBVTT\n\n00:00.000 --> 00:01.000\nGlocken" }] }),
    published: { text: caption },
    details: () => ({ subtitles: { DE: { content_type: "text/vtt" } } }),
    types: [mp4],
    adapter: {
      calls: {
        upload_start: "before",
        media: "before",
        upload: "before",
        media_status: "waited",
        subtitles: "before",
        post: "commit"
      },
      without_answer: ["media", "subtitles"],
      film_bytes: () => mebibyte + 3
    }
  },
  {
    what: "a poll on X",
    network: "twitter",
    media: [],
    options: () => ({ poll: { options: ["Big", "Small"], duration_minutes: 60 } }),
    published: { text: caption },
    details: () => ({ poll: { options: ["Big", "Small"], duration_minutes: 60 } }),
    types: [],
    adapter: textOnX
  },
  {
    what: "a text with links on X",
    network: "twitter",
    media: [],
    options: () => ({ caption: linked }),
    published: { text: linked },
    details: () => ({}),
    types: [],
    adapter: textOnX
  },
  {
    what: "a text on LinkedIn",
    network: "linkedin",
    media: [],
    options: () => ({ visibility: "CONNECTIONS", disable_reshare: true, first_comment: "First!" }),
    published: { text: caption },
    details: () => ({
      visibility: "CONNECTIONS",
      isReshareDisabledByAuthor: true,
      comments: [{ message: { text: "First!" } }]
    }),
    types: [],
    adapter: { calls: { post: "commit" }, without_answer: ["post", "comment"], probe: true, unique: true }
  },
  {
    what: "a picture on LinkedIn",
    network: "linkedin",
    media: ["square"],
    options: () => ({ alt_text: "Red" }),
    published: { text: caption },
    details: () => ({ visibility: "PUBLIC", content: { media: {} } }),
    types: [`image/png Red`],
    adapter: {
      calls: { upload_start: "before", media: "before", post: "commit" },
      ...linkedinUpload,
      probe: true
    }
  },
  {
    what: "pictures on LinkedIn",
    network: "linkedin",
    media: ["square", "upright"],
    options: () => ({ alt_text: ["Red", "Teal"] }),
    published: { text: caption },
    details: () => ({ content: { multiImage: { images: [{}, {}] } } }),
    types: [`image/png Red`, `${jpeg} Teal`],
    adapter: {
      calls: { upload_start: "before", media: "before", post: "commit" },
      ...linkedinUpload,
      probe: true
    }
  },
  {
    what: "a video with a cover on LinkedIn",
    network: "linkedin",
    media: ["film"],
    extra: "wide",
    options: (cover_image) => ({ cover_image }),
    published: { text: caption },
    details: () => ({ content: { media: {} }, cover: { content_type: jpeg } }),
    types: [mp4],
    adapter: {
      calls: {
        upload_start: "before",
        media: "before",
        upload_end: "before",
        media_status: "before",
        post: "commit"
      },
      ...linkedinUpload,
      probe: true
    }
  },
  {
    what: "a PDF on LinkedIn",
    network: "linkedin",
    media: ["paper"],
    options: () => ({ document_title: "Bells" }),
    published: { title: "Bells", text: caption },
    details: () => ({ content: { media: { title: "Bells" } } }),
    types: [pdf],
    adapter: {
      calls: { upload_start: "before", media: "before", post: "commit" },
      ...linkedinUpload,
      probe: true
    }
  },
  {
    what: "a poll on LinkedIn",
    network: "linkedin",
    media: [],
    options: () => ({ poll: { question: "Which bell?", options: ["Great", "Small"], duration_days: 7 } }),
    published: { text: caption },
    details: () => ({
      content: {
        poll: {
          question: "Which bell?",
          options: [{ text: "Great" }, { text: "Small" }],
          settings: { duration: "SEVEN_DAYS" }
        }
      }
    }),
    types: [],
    adapter: { calls: { post: "commit" }, without_answer: ["post"], probe: true, unique: true }
  },
  {
    what: "a link card on LinkedIn",
    network: "linkedin",
    media: [],
    options: (_extra, _boards, network) => ({ link: `${network}/` }),
    published: { title: "The test network", text: caption },
    details: () => ({ content: { article: { title: "The test network" } } }),
    types: [],
    adapter: { calls: { post: "commit" }, without_answer: ["post"], probe: true, unique: true }
  },
  {
    what: "a picture on a page at LinkedIn",
    network: "linkedin",
    signIn: { login: "linkedin_pages" },
    media: ["square"],
    options: () => ({ alt_text: "Red", first_comment: "First!" }),
    published: { text: caption },
    details: () => ({
      visibility: "PUBLIC",
      content: { media: { altText: "Red" } },
      comments: [{ message: { text: "First!" } }]
    }),
    types: [`image/png Red`],
    adapter: {
      calls: {
        post_search: "asked",
        upload_start: "before",
        media: "before",
        media_status: "before",
        post: "commit"
      },
      ...linkedinUpload,
      lookup: { on: "post_search", before: 1 },
      // Its app is one of a partner program.
      ending: "-partner"
    }
  },
  {
    what: "a video on one of two pages at LinkedIn",
    network: "linkedin",
    signIn: { login: "linkedin_pages", choose: [1] },
    of: "shop",
    media: ["film"],
    options: () => ({}),
    published: { text: caption },
    details: () => ({ content: { media: {} } }),
    types: [mp4],
    adapter: {
      calls: {
        post_search: "asked",
        upload_start: "before",
        media: "before",
        upload_end: "before",
        media_status: "before",
        post: "commit"
      },
      ...linkedinUpload,
      ending: "-partner"
    }
  },
  {
    what: "a text with a button on Google Business",
    network: "google_business",
    media: [],
    options: () => ({
      cta_action_type: "LEARN_MORE",
      cta_url: "https://example.com/bells",
      language_code: "en"
    }),
    published: { text: caption },
    details: () => ({
      topicType: "STANDARD",
      languageCode: "en",
      callToAction: { actionType: "LEARN_MORE", url: "https://example.com/bells" }
    }),
    types: [],
    adapter: {
      calls: { post_search: "asked", post: "commit" },
      lookup: { on: "post_search", before: 1 },
      doubts: true
    }
  },
  {
    what: "a picture on Google Business, which it fetches from here and works on",
    network: "google_business",
    media: ["upright"],
    options: () => ({}),
    published: { text: caption },
    details: () => ({ topicType: "STANDARD" }),
    types: [jpeg],
    adapter: {
      calls: { post_search: "asked", post: "commit", post_status: "asked" },
      lookup: { on: "post_search", before: 1 },
      doubts: true
    }
  },
  {
    what: "a text at one of two locations on Google Business, which can be called",
    network: "google_business",
    signIn: { choose: [1] },
    of: "shop",
    media: [],
    options: () => ({ cta_action_type: "CALL" }),
    published: { text: caption },
    details: () => ({ callToAction: { actionType: "CALL" } }),
    types: []
  },
  {
    what: "a picture on Threads",
    network: "threads",
    media: ["square"],
    options: () => ({ alt_text: "Red", topic_tag: "Evening bells", reply_control: "followers_only" }),
    published: { text: caption },
    details: () => ({ media_type: "IMAGE", topic_tag: "Evening bells", reply_control: "followers_only" }),
    types: ["image/png Red"],
    adapter: onThreads
  },
  {
    what: "a text with a poll on Threads",
    network: "threads",
    media: [],
    options: () => ({ poll: { options: ["High", "Low"] } }),
    published: { text: caption },
    details: () => ({ media_type: "TEXT", poll_attachment: { option_a: "High", option_b: "Low" } }),
    types: [],
    adapter: onThreads
  },
  {
    what: "a video on Threads",
    network: "threads",
    media: ["film"],
    options: () => ({ alt_text: "Bells" }),
    published: { text: caption },
    details: () => ({ media_type: "VIDEO" }),
    types: [`${mp4} Bells`]
  },
  {
    what: "a carousel on Threads",
    network: "threads",
    media: ["square", "film", "upright"],
    options: () => ({ alt_text: ["Red", "Bells", "Teal"] }),
    published: { text: caption },
    details: () => ({
      media_type: "CAROUSEL",
      items: [{ media_type: "IMAGE" }, { media_type: "VIDEO" }, { media_type: "IMAGE" }]
    }),
    types: ["image/png Red", `${mp4} Bells`, `${jpeg} Teal`],
    adapter: onThreads
  },
  {
    what: "photos on Facebook",
    network: "facebook",
    media: ["square", "upright"],
    options: () => ({ alt_text: ["Red"], first_comment: "First!" }),
    published: { text: caption },
    details: () => ({ edge: "feed", comments: ["First!"] }),
    types: [`image/png Red`, jpeg],
    adapter: {
      calls: { post_search: "asked", media: "before", post: "commit", post_status: "after" },
      lookup: { on: "post_search", before: 1 }
    }
  },
  {
    what: "a text with a link on Facebook",
    network: "facebook",
    media: [],
    options: () => ({ link: "https://example.com/bells" }),
    published: { text: caption },
    details: () => ({ edge: "feed", link: "https://example.com/bells" }),
    types: [],
    adapter: {
      calls: { post_search: "asked", post: "commit", post_status: "after" },
      lookup: { on: "post_search", before: 1 },
      unique: true
    }
  },
  {
    what: "a video on the chosen one of a person's Pages",
    network: "facebook",
    signIn: { choose: [1] },
    of: "shop",
    media: ["film"],
    options: () => ({}),
    published: { text: caption },
    details: () => ({ edge: "videos" }),
    types: [mp4],
    adapter: {
      calls: { upload_start: "before", media: "before", post: "commit", post_status: "look" },
      film_bytes: (on) => (on === "media" ? 9 * mebibyte : 10)
    }
  },
  {
    what: "a reel on Facebook",
    network: "facebook",
    media: ["film"],
    options: () => ({ placement: "reel" }),
    published: { text: caption },
    details: () => ({ edge: "video_reels" }),
    types: [mp4],
    adapter: {
      calls: {
        upload_start: "before",
        media: "before",
        media_status: "before",
        post: "commit",
        post_status: "look"
      },
      // As of Instagram's uploads: their errors have a form of their own.
      unheard_of: { media: ["refuse", "forbidden", "rate_limited"] },
      film_bytes: () => 300_000
    }
  },
  {
    what: "a picture as a story on Facebook",
    network: "facebook",
    media: ["square"],
    options: () => ({ placement: "story" }),
    warnings: [/leaves out the caption/],
    published: { text: "" },
    details: () => ({ edge: "photo_stories" }),
    types: ["image/png"]
  },
  {
    what: "a video as a story on Facebook",
    network: "facebook",
    media: ["film"],
    options: () => ({ placement: "story" }),
    warnings: [/leaves out the caption/],
    published: { text: "" },
    details: () => ({ edge: "video_stories" }),
    types: [mp4]
  }
]
