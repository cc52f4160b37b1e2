/** A kind of server that speaks Mastodon's API, by what it does otherwise. */
export interface MastodonServer {
  readonly host: string
  readonly version: string
  /** `api_versions.mastodon`, where it says it. */
  readonly api?: number
  /** Whether a repeated `Idempotency-Key` is answered with the status that is there. */
  readonly honoursKey: boolean
  readonly hasV2Instance: boolean
  /** Whether a file can be looked at. */
  readonly hasMediaStatus: boolean
  /** The status and body of a call whose token is not known. */
  readonly unauthorized: { readonly status: number; readonly hasBody: boolean }
  readonly hasPolls: boolean
  /** Whether a status has the text that was sent. */
  readonly tellsSource: boolean
  /** Whether a file takes the place of an earlier one of its name. */
  readonly keepsByName: boolean
  /** Whether a file has another id in its status than it had before. */
  readonly renamesFiles: boolean
  /** Whether the address of a status is made of its time, `/{name}/p/{seconds}.{digits}`; no client can tell an id from it. */
  readonly addressesByTime: boolean
  /** How it refuses a file that a status has; the others let a file be used again. */
  readonly refusesAttached?: { readonly status: number; readonly words: (id: string) => string }
  /** Whether a search for an address also finds what has it in its text. */
  readonly searchesTexts: boolean
  /** Whether the account's statuses are those that everybody sees. */
  readonly listsPublicAlone: boolean
  readonly characters: number
  readonly media: number
  /** Limits that are not Mastodon's own. */
  readonly more?: {
    readonly perAddress?: number
    readonly choices?: number
    readonly choiceCharacters?: number
    readonly imagePixels?: number
    readonly types?: ReadonlyArray<string>
  }
}

/** The behaviour of Mastodon itself; `refusesAttached` since 4.3: https://github.com/mastodon/mastodon/issues/31707 */
const mastodon = {
  honoursKey: true,
  hasV2Instance: true,
  hasMediaStatus: true,
  unauthorized: { status: 401, hasBody: true },
  hasPolls: true,
  tellsSource: false,
  keepsByName: false,
  renamesFiles: false,
  addressesByTime: false,
  refusesAttached: {
    status: 422,
    words: (id: string) => `Media ${id} not found or already attached to another post`
  },
  searchesTexts: false,
  listsPublicAlone: false,
  characters: 500,
  media: 4
}

export const mastodonServers: ReadonlyArray<MastodonServer> = [
  { ...mastodon, host: "mastodon.sandbox", version: "4.5.2", api: 7 },
  {
    ...mastodon,
    host: "gotosocial.sandbox",
    version: "0.20.0",
    honoursKey: false,
    tellsSource: true,
    // https://github.com/superseriousbusiness/gotosocial/tree/main/internal/processing/status
    refusesAttached: { status: 400, words: (id) => `media ${id} already attached to status` },
    characters: 5000,
    media: 6,
    more: { perAddress: 25, choices: 6 }
  },
  {
    ...mastodon,
    host: "snac.sandbox",
    version: "4.0.0 (not true; really snac/2.75)",
    honoursKey: false,
    hasV2Instance: false,
    hasMediaStatus: false,
    unauthorized: { status: 422, hasBody: false },
    hasPolls: false,
    tellsSource: true,
    keepsByName: true,
    renamesFiles: true,
    addressesByTime: true,
    searchesTexts: true,
    listsPublicAlone: true,
    characters: 100_000,
    more: { perAddress: 32, choices: 8 }
  },
  {
    // https://git.pleroma.social/pleroma/pleroma/-/blob/develop/lib/pleroma/web/mastodon_api/views/instance_view.ex
    ...mastodon,
    host: "pleroma.sandbox",
    version: "2.7.2 (compatible; Pleroma 2.9.1)",
    honoursKey: false,
    characters: 5000,
    media: 1000,
    more: { perAddress: 0, choices: 20, choiceCharacters: 200, types: ["application/octet-stream"] }
  },
  {
    // Its operator has lowered every limit: https://docs.joinmastodon.org/entities/Instance/#max_characters
    ...mastodon,
    host: "terse.sandbox",
    version: "4.2.1 (compatible; Terse 1.0)",
    honoursKey: false,
    characters: 50,
    media: 1,
    more: { perAddress: 10, choices: 2, choiceCharacters: 5, imagePixels: 250_000, types: ["image/png"] }
  },
  {
    // Before `POST /api/v2/media`: https://docs.joinmastodon.org/methods/media/#v2
    ...mastodon,
    host: "old.sandbox",
    version: "3.1.2",
    hasV2Instance: false
  }
]

/** Its limits: https://docs.joinmastodon.org/entities/Instance/#configuration */
export const configuration = ({ characters, media, more }: MastodonServer) => ({
  statuses: {
    max_characters: characters,
    max_media_attachments: media,
    characters_reserved_per_url: more?.perAddress ?? 23
  },
  media_attachments: {
    description_limit: 1500,
    image_size_limit: 16_777_216,
    image_matrix_limit: more?.imagePixels ?? 33_177_600,
    video_size_limit: 103_809_024,
    video_matrix_limit: 8_294_400,
    video_frame_rate_limit: 120,
    supported_mime_types: more?.types ?? allTypes
  },
  polls: {
    max_options: more?.choices ?? 4,
    max_characters_per_option: more?.choiceCharacters ?? 50,
    min_expiration: 300,
    max_expiration: 2_629_746
  }
})

const allTypes = [
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "video/webm",
  "video/mp4",
  "video/quicktime",
  "audio/mpeg"
]
