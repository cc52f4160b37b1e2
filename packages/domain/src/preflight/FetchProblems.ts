import type { PlatformId } from "../Platform.ts"
import { mediaOptions } from "../PlatformOptions.ts"
import type { Finding } from "./Finding.ts"
import type { ResolvedPost } from "./OptionProblems.ts"

/** This service's own address, and the platforms that cannot fetch anything from it. */
export interface PublicUrl {
  readonly url: string
  readonly closed_to: ReadonlyArray<PlatformId>
}

/** Files that a platform would have to fetch from this service and cannot. */
export const fetchProblems = (
  { url, closed_to }: PublicUrl,
  platform: PlatformId,
  { placement: { fetched = [], text_only }, media, mediaPath, options, optionPath }: ResolvedPost
): ReadonlyArray<Finding> => {
  if (!closed_to.includes(platform)) return []
  const cover = fetched.includes("cover") ? mediaOptions.find((name) => name in options) : undefined
  const kinds = fetched.filter((kind) => media.some((item) => item.kind === kind))
  return [
    ...kinds.map((kind) => finding(url, mediaPath, `${kind}s`, text_only)),
    ...(cover === undefined ? [] : [finding(url, optionPath(cover), "covers")])
  ]
}

const finding = (url: string, path: string, what: string, text_only = false): Finding => ({
  path,
  code: "platform_cannot_fetch",
  rule: "fetched",
  value: url,
  sentence:
    `fetches ${what} from this service, whose PUBLIC_URL is ${url}. That is not an https URL on a public host: ask the ` +
    `operator to change it, ${text_only ? `publish without ${what}, ` : ""}or leave this account out.`
})
