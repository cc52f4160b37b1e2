import { linkedinPost } from "@carillon/domain"
import type { Schema } from "effect"
import type { PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"
import type { LinkedInHandle } from "./LinkedInHandle.ts"
import { littleText } from "./LittleText.ts"

export const optionsOf = publishOptions("linkedin")

export const isOrganization = ({ remote_id }: Pick<PublishRequest, "remote_id">) =>
  remote_id.startsWith("urn:li:organization:")

const durations = { 1: "ONE_DAY", 3: "THREE_DAYS", 7: "SEVEN_DAYS", 14: "FOURTEEN_DAYS" } as const

/** What the poll asks; undefined: there is no poll. */
export const questionOf = (request: PublishRequest) => {
  const { poll } = optionsOf(request)
  return poll && (poll.question ?? request.caption)
}

/** The text of the post, which is not said again below its own poll. */
export const commentaryOf = (request: PublishRequest) => {
  const { poll } = optionsOf(request)
  return poll !== undefined && poll.question === undefined ? "" : littleText(request.caption)
}

export const resharedBy = (request: PublishRequest) => {
  const { reshare } = optionsOf(request)
  return reshare === undefined ? undefined : linkedinPost(reshare)
}

type Fields = { readonly [name: string]: Schema.Json }

const described = (urn: string, alt_text: string | null): Fields => ({
  id: urn,
  ...(alt_text === null || alt_text === "" ? {} : { altText: alt_text })
})

const contentOf = (request: PublishRequest, { assets, card }: LinkedInHandle): Fields | undefined => {
  const { document_title, poll } = optionsOf(request)
  const [first, ...more] = request.media
  if (poll !== undefined)
    return {
      poll: {
        question: questionOf(request)!,
        options: poll.options.map((text) => ({ text })),
        settings: { duration: durations[poll.duration_days] }
      }
    }
  if (first === undefined) return card?.article == null ? undefined : { article: card.article }
  if (more.length > 0)
    return {
      multiImage: { images: request.media.map(({ alt_text, id }) => described(assets[id]!, alt_text)) }
    }
  return {
    media: {
      ...described(assets[first.id]!, first.alt_text),
      ...(first.kind === "document" ? { title: document_title ?? titleOf(first.name) } : {})
    }
  }
}

/** A file's name without its ending. */
const titleOf = (name: string) => name.replace(/\.[^.]*$/, "") || "Document"

/** https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
export const postBody = (request: PublishRequest, handle: LinkedInHandle): Fields => {
  const { disable_reshare, visibility } = optionsOf(request)
  const content = contentOf(request, handle)
  const parent = resharedBy(request)
  return {
    author: request.remote_id,
    commentary: commentaryOf(request),
    visibility: visibility ?? "PUBLIC",
    distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content === undefined ? {} : { content }),
    ...(parent === undefined ? {} : { reshareContext: { parent } }),
    lifecycleState: "PUBLISHED",
    isReshareDisabledByAuthor: disable_reshare ?? false
  }
}
