import { Option, type Schema } from "effect"
import { displayName } from "../Avatar.ts"
import { isoTime, type Ledger, type Publication } from "../Ledger.ts"
import type { MediaStore, StoredMedia } from "../MediaStore.ts"
import { accountId, type Mastodon, type Upload } from "./Mastodon.ts"
import { configuration, type MastodonServer } from "./MastodonServers.ts"

/** The prefix of ids of posts from other servers. */
export const foreign = "foreign-"

/** When every account and its role began. */
const began = "2026-01-01T00:00:00.000Z"

/** https://docs.joinmastodon.org/entities/Role/: that of everybody. */
const everybody: Schema.Json = {
  id: "-99",
  name: "",
  color: "",
  position: -1,
  permissions: "0",
  highlighted: false,
  collection_limit: 10,
  created_at: began,
  updated_at: began
}

/** What a server answers, with every field that Mastodon's documents have: https://docs.joinmastodon.org/entities/ */
export const entitiesOf = (
  server: MastodonServer,
  /** The address of the test network. */
  url: () => string,
  ledger: Ledger["Service"],
  mastodon: Mastodon["Service"],
  store: MediaStore["Service"]
) => {
  const home = () => `${url()}/${server.host}`

  const account = (name: string) => {
    const statuses = mastodon.statuses(name)
    const avatar = `${url()}/avatars/${name}`
    return {
      id: accountId(name),
      username: name,
      acct: name,
      display_name: name,
      url: `${home()}/@${name}`,
      uri: `${home()}/users/${name}`,
      avatar,
      avatar_static: avatar,
      header: avatar,
      header_static: avatar,
      note: "",
      fields: [],
      emojis: [],
      roles: [],
      locked: false,
      bot: false,
      group: false,
      discoverable: null,
      created_at: began,
      last_status_at: statuses[0]?.published_at.slice(0, 10) ?? null,
      statuses_count: statuses.length,
      followers_count: 0,
      following_count: 0,
      feature_approval: { automatic: [], manual: [], current_user: "denied" }
    }
  }

  const attachmentOf = ({
    alt_text,
    content_type,
    id
  }: StoredMedia & { readonly alt_text: string | null }) => ({
    id,
    type: kindOf(content_type),
    url: `${url()}/media/${id}`,
    preview_url: `${url()}/media/${id}`,
    remote_url: null,
    description: alt_text,
    blurhash: null
  })

  const stateOf = (name: string, quoted: string) =>
    Option.match(visible(quoted.replace(foreign, "")), {
      onNone: () => "deleted",
      onSome: (found) => (approvalOf(name, found) === "manual" ? "pending" : "accepted")
    })

  /** https://docs.joinmastodon.org/entities/QuoteApproval/#current_user */
  const approvalOf = (name: string, { account: author, details = {} }: Publication) => {
    const policy = author === name ? "public" : (details["quote_approval_policy"] ?? "public")
    return { public: "automatic", followers: "manual" }[String(policy)] ?? "denied"
  }

  const addressesOf = (name: string, id: string, published_at: string) => {
    const byTime = `${home()}/${name}/p/${Date.parse(published_at) / 1000}.${id}`
    return server.addressesByTime
      ? { url: byTime, uri: byTime }
      : { url: `${home()}/@${name}/${id}`, uri: `${home()}/users/${name}/statuses/${id}` }
  }

  /** A post as somebody sees it. */
  const status = (publication: Publication, name = publication.account) => {
    const { account: author, details = {}, id, media, published_at, text } = publication
    const told = (detail: string) => (details[detail] === undefined ? null : String(details[detail]))
    const answered = told("in_reply_to_id")
    const policy = told("quote_approval_policy") ?? "public"
    return {
      id,
      created_at: published_at,
      edited_at: null,
      in_reply_to_id: answered,
      in_reply_to_account_id:
        answered === null ? null : accountId(ledger.find("mastodon", answered)?.account ?? author),
      sensitive: details["sensitive"] === true || told("spoiler_text") !== null,
      spoiler_text: told("spoiler_text") ?? "",
      visibility: told("visibility") ?? "public",
      language: told("language"),
      ...addressesOf(author, id, published_at),
      content: text
        .split("\n\n")
        .map((part) => `<p>${escaped(part).replaceAll("\n", "<br />")}</p>`)
        .join(""),
      account: account(author),
      application: { name: "The test network", website: null },
      ...(server.tellsSource ? { text } : {}),
      media_attachments: media.map((file, index) => ({
        ...attachmentOf(file),
        ...(server.renamesFiles ? { id: `/${server.host}/users/${author}/statuses/${id}_${index}` } : {})
      })),
      mentions: [],
      tags: [],
      emojis: [],
      reblog: null,
      card: null,
      reblogs_count: 0,
      favourites_count: 0,
      replies_count: 0,
      quotes_count: 0,
      poll:
        details["poll"] === undefined ? null : pollOf(publication, details["poll"] as unknown as SentPoll),
      quote:
        details["quoted_status_id"] === undefined
          ? null
          : { state: stateOf(author, String(details["quoted_status_id"])) },
      quote_approval: {
        automatic: policy === "public" ? ["public"] : [],
        manual: policy === "followers" ? ["followers"] : [],
        current_user: approvalOf(name, publication)
      }
    }
  }

  const visible = (id: string, name?: string) =>
    Option.filter(
      Option.fromUndefinedOr(ledger.find("mastodon", id)),
      ({ account: author, details = {} }) =>
        author === name || !["private", "direct"].includes(String(details["visibility"]))
    )

  return {
    account,
    approvalOf,
    status,
    visible,

    /** https://docs.joinmastodon.org/entities/Account/#CredentialAccount */
    credentials: (name: string): Schema.Json => ({
      ...account(name),
      source: {
        note: "",
        fields: [],
        attribution_domains: [],
        privacy: "public",
        sensitive: false,
        language: null,
        follow_requests_count: 0,
        hide_collections: null,
        discoverable: null,
        indexable: false,
        quote_policy: "public",
        role: everybody
      },
      role: everybody
    }),

    attachment: ({ alt_text, focus, id, polls, thumbnail }: Upload): Schema.Json => ({
      ...attachmentOf({ ...store.find(id)!, alt_text }),
      ...(polls > 0 ? { url: null } : {}),
      ...(thumbnail === undefined ? {} : { preview_url: `${url()}/media/${thumbnail.id}` }),
      ...(focus === undefined ? {} : { meta: { focus: pointOf(focus) } })
    }),

    /** A post of another server has an id of its own here. */
    seenBy: (name: string, publication: Publication) => ({
      ...status(publication, name),
      id: publication.details?.["server"] === server.host ? publication.id : `${foreign}${publication.id}`
    }),

    /** https://docs.joinmastodon.org/entities/Instance/ and …/V1_Instance/ */
    instance: (version: 1 | 2): Schema.Json => {
      const about = {
        title: "The test network",
        version: server.version,
        description: "A server that exists on this machine alone",
        languages: ["en"],
        rules: []
      }
      const streaming = `${home().replace("http", "ws")}/api/v1/streaming`
      const picture = `${url()}/avatars/${server.host}`
      const accounts = { max_featured_tags: 10, max_pinned_statuses: 5 }
      return version === 1
        ? {
            ...about,
            uri: server.host,
            short_description: "",
            email: "",
            registrations: false,
            approval_required: false,
            invites_enabled: false,
            urls: { streaming_api: streaming },
            stats: { user_count: 1, status_count: 0, domain_count: 0 },
            contact_account: null,
            configuration: { ...configuration(server), accounts }
          }
        : {
            ...about,
            domain: server.host,
            source_url: "https://github.com/mastodon/mastodon",
            usage: { users: { active_month: 1 } },
            thumbnail: {
              url: picture,
              blurhash: "",
              description: displayName(server.host),
              versions: { "@1x": picture, "@2x": picture }
            },
            icon: [{ src: picture, size: "120x120" }],
            registrations: { enabled: false, approval_required: false, message: null },
            contact: { email: "", account: account("admin") },
            ...(server.api === undefined ? {} : { api_versions: { mastodon: server.api } }),
            configuration: {
              ...configuration(server),
              accounts: {
                ...accounts,
                max_display_name_length: 30,
                max_note_length: 500,
                max_avatar_description_length: 150,
                max_header_description_length: 150,
                max_profile_fields: 4,
                profile_field_name_limit: 255,
                profile_field_value_limit: 255
              },
              urls: { streaming },
              vapid: { public_key: "" },
              translation: { enabled: false }
            }
          }
    }
  }
}

interface SentPoll {
  readonly options: ReadonlyArray<string>
  readonly expires_in: number
  readonly multiple?: boolean
  readonly hide_totals?: boolean
}

/** https://docs.joinmastodon.org/entities/Poll/, as its author sees it before anybody votes. */
const pollOf = (
  { id, published_at }: Publication,
  { expires_in, hide_totals = false, multiple = false, options }: SentPoll
) => {
  const ends = Date.parse(published_at) + expires_in * 1000
  const expired = Date.now() >= ends
  return {
    id: `${id}-poll`,
    expires_at: isoTime(ends),
    expired,
    multiple,
    votes_count: 0,
    voters_count: multiple ? 0 : null,
    options: options.map((title) => ({
      title,
      votes_count: hide_totals && !expired ? null : 0,
      emojis: []
    })),
    emojis: [],
    voted: true,
    own_votes: []
  }
}

const kindOf = (type: string) => {
  const [kind = ""] = type.split("/", 1)
  return type === "image/gif" ? "gifv" : ["image", "video", "audio"].includes(kind) ? kind : "unknown"
}

const pointOf = (focus: string): Schema.Json => {
  const [x, y] = focus.split(",").map(Number)
  return { x: x!, y: y! }
}

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
