/**
 * Instagram's content publishing at the wire, with both logins, every host as the
 * first part of the path; `{v}` is a version such as `v25.0`.
 *
 * Instagram Login: `GET /www.instagram.com/oauth/authorize` is the consent page;
 * `POST /api.instagram.com/oauth/access_token`, a form: 200 `{ access_token, user_id (a number), permissions }`, for
 *   accounts of `...-wrapped` inside of `{ data: [] }`; a token for an hour
 * `GET /graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=&access_token=` and
 * `GET /graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token&access_token=`: 200
 *   `{ access_token, token_type, expires_in: 5184000 }`; the second only of a token of 24 hours or more (`...-aged`)
 *
 * Facebook Login and the Pages of a person: `PeopleHttp.ts`.
 *
 * On `graph.instagram.com` and `graph.facebook.com`, the token as `Authorization: Bearer` or `access_token`, parameters
 * in the query, a form or JSON:
 * `GET /{v}/me?fields=`
 * `POST /{v}/{ig}/media`: a container, `{ id }`; `{ id, uri }` with `upload_type=resumable`, which is refused with
 *   "video_url is required" for Instagram Login but of `...-push`. Images are fetched at once and refused at once; what is
 *   wrong with a video is said by the container. Trial reels are refused with 2207081 for `...-notrial`; everything is for
 *   `...-personal`, which are no professional accounts.
 * `GET /{v}/{container}?fields=status_code,status,video_status`
 * `POST /{v}/{ig}/media_publish` `creation_id`: `{ id }`; once · `GET /{v}/{ig}/content_publishing_limit`: 100, or 1 of
 *   `...-quota`
 * `GET /{v}/{media}?fields=id,caption,permalink,shortcode,timestamp` · `GET /{v}/{ig}/media` and `/stories`, newest first
 * `POST` and `GET /{v}/{media}/comments`
 * With Facebook Login alone: `poll_attachment` (2 to 4 options), `is_poll_duration_extended` and `is_comment_prompt_used` of a post in
 *   the feed and a reel, one add-on at most; `audio_configuration` of a reel, `{ audio_id, audio_volume, video_volume }`, with an id of
 *   `GET /{v}/ig_audio?audio_type=music|original_sound&user_id=&search_query=`: `{ audio: [{ audio_id, title, display_artist,
 *   duration_in_ms }] }`, and what is popular without a query
 * Resumable uploads: `UploadHttp.ts`.
 *
 * Errors: `{ error: { message, type, code, error_subcode?, is_transient, fbtrace_id } }`; a script names one as
 * `code/subcode`. `processing` on `media` with `becomes: failed` and a subcode as `reason`, or `EXPIRED`, is the state of
 * the container.
 */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { Exchange, Granted } from "../Exchange.ts"
import { MediaStore } from "../MediaStore.ts"
import { graphCaller, hosts } from "../meta/GraphCaller.ts"
import { graphDialect, graphError } from "../meta/GraphErrors.ts"
import { objectRoutes } from "../meta/GraphObject.ts"
import { pick } from "../meta/GraphParameters.ts"
import { instagramLogin, type Login } from "../meta/MetaAuthorization.ts"
import { uploadRoute } from "../meta/UploadHttp.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import type { Grant } from "../oauth/Tokens.ts"
import { audioTypes, audioOf } from "./Audio.ts"
import { containerRequest } from "./ContainerRequest.ts"
import { Instagram, quotaOf } from "./Instagram.ts"
import { instagramObjects } from "./InstagramObjects.ts"

export const InstagramHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const instagram = yield* Instagram
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { endpointsAt, igId } = yield* graphCaller
    const { listed, objectOf: instagramObject } = yield* instagramObjects
    const { url } = yield* NodeServer

    const profile = (grant: Grant) => ({
      id: igId(grant),
      user_id: igId(grant),
      username: grant.account,
      name: displayName(grant.account),
      account_type: "BUSINESS",
      profile_picture_url: url() + avatarPath(grant.account)
    })

    const edges = (login: Login) => {
      const endpoint = endpointsAt(login)
      const at = `${hosts[login]}/:version` as const
      // At Facebook's address Pages have stories, too: `PeopleHttp.ts`.
      const lists = (login === "facebook" ? (["feed"] as const) : (["feed", "stories"] as const)).map(
        (list) =>
          endpoint("GET", `${at}/:id/${list === "feed" ? "media" : list}`, {
            operation: "post_search",
            scope: "read",
            own: "account",
            answer: ({ account, given }) => ({ data: listed(account, list, given) })
          })
      )
      return [
        ...lists,
        endpoint("POST", `${at}/:id/media`, {
          operation: "media",
          scope: "publish",
          own: "account",
          answer: ({ account, fault, given, path: { version = "" } }) =>
            Effect.gen(function* () {
              const resumable = given.get("upload_type") === "resumable"
              if (account.endsWith("-personal")) {
                return yield* graphError("10", "(#10) The user is not an Instagram Business", 403)
              }
              if (resumable && login === "instagram" && !account.endsWith("-push")) {
                return yield* graphError("100", "(#100) The parameter video_url is required")
              }
              const container = yield* containerRequest(instagram, store, { account, login }, given)
              const id = yield* instagram.create(container, fault)
              const uri = `${url()}/rupload.facebook.com/ig-api-upload/${version}/${id}`
              return resumable ? { id, uri } : { id }
            }).pipe(Effect.scoped)
        }),
        endpoint("POST", `${at}/:id/media_publish`, {
          operation: "post",
          scope: "publish",
          own: "account",
          answer: ({ account, given, seen }) =>
            Effect.map(
              instagram.publish(account, given.get("creation_id") ?? "", seen),
              ({ id }) => new Granted({ body: { id }, publication: id })
            )
        }),
        endpoint("GET", `${at}/:id/content_publishing_limit`, {
          operation: "publishing_limit",
          scope: "publish",
          own: "account",
          answer: ({ account }) =>
            Effect.map(instagram.usage(account), (quota_usage) => ({
              data: [{ config: { quota_total: quotaOf(account), quota_duration: 86_400 }, quota_usage }]
            }))
        })
      ]
    }

    const instagramAlone = endpointsAt("instagram")
    const facebookAlone = endpointsAt("facebook")

    return [
      ...(yield* authorizationRoutes(instagramLogin)),
      ...edges("instagram"),
      ...edges("facebook"),
      instagramAlone("GET", `${hosts.instagram}/:version/me`, {
        operation: "account",
        scope: "read",
        answer: ({ given, grant }) => pick(profile(grant), given)
      }),
      ...objectRoutes(instagramAlone, `${hosts.instagram}/:version`, instagramObject),
      facebookAlone("GET", `${hosts.facebook}/:version/ig_audio`, {
        operation: "audio",
        scope: "publish",
        read: ({ given, grant }) => {
          const type = audioTypes.find((one) => one === given.get("audio_type"))
          return type === undefined || given.get("user_id") !== igId(grant)
            ? graphError("100", `(#100) audio_type is ${audioTypes.join(" or ")}, user_id the account's id`)
            : Effect.succeed(type)
        },
        answer: ({ given }, type) => ({ audio: audioOf(type, given.get("search_query") ?? "") })
      }),
      exchange.unknown(graphDialect("instagram"), `${hosts.instagram}/*`, (_method, path) =>
        graphError("2500", `Unknown path components: ${path}`)
      ),
      yield* uploadRoute({
        platform: "instagram",
        operation: "upload",
        path: "/rupload.facebook.com/ig-api-upload/:version/:id",
        mediaType: "video/mp4",
        largest: 300_000_000,
        open: (account, id) =>
          Effect.gen(function* () {
            const container = instagram.container(account, id)
            if (container === undefined || container.media !== null) return undefined
            return (yield* instagram.status(container)) === "EXPIRED" ? undefined : container.received
          }),
        received: instagram.received,
        uploaded: instagram.uploaded
      })
    ]
  })
)
