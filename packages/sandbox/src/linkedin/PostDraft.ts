import { Schema } from "effect"

const text = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => [...value].length <= maximum || `is longer than ${maximum} characters`
    )
  )
const urn = (...kinds: ReadonlyArray<string>) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^urn:li:(${kinds.join("|")}):[\\w-]+$`)))
const Url = Schema.String.check(Schema.isPattern(/^https?:\/\/[\x21-\x7e]+$/))

const altText = Schema.optionalKey(text(4086))
const Media = Schema.Struct({
  id: urn("image", "video", "document"),
  title: Schema.optionalKey(text(400)),
  altText
})
const MultiImage = Schema.Struct({
  images: Schema.Array(Schema.Struct({ id: urn("image"), altText })).check(Schema.isBetweenLength(2, 20))
})
const Article = Schema.Struct({
  source: Url,
  title: text(400).check(Schema.isMinLength(1)),
  description: Schema.optionalKey(text(4086)),
  thumbnail: Schema.optionalKey(urn("image")),
  thumbnailAltText: altText
})
const Poll = Schema.Struct({
  question: text(140).check(Schema.isMinLength(1)),
  options: Schema.Array(Schema.Struct({ text: text(30).check(Schema.isMinLength(1)) })).check(
    Schema.isBetweenLength(2, 4)
  ),
  settings: Schema.Struct({
    duration: Schema.Literals(["ONE_DAY", "THREE_DAYS", "SEVEN_DAYS", "FOURTEEN_DAYS"]),
    voteSelectionType: Schema.optionalKey(Schema.Literal("SINGLE_VOTE")),
    isVoterVisibleToAuthor: Schema.optionalKey(Schema.Boolean)
  })
})

/** The body of `POST /rest/posts` as far as it is organic: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api#post-schema */
export const PostDraft = Schema.Struct({
  author: urn("person", "organization"),
  commentary: Schema.String,
  visibility: Schema.Literals(["PUBLIC", "CONNECTIONS", "LOGGED_IN"]),
  distribution: Schema.Struct({
    feedDistribution: Schema.Literal("MAIN_FEED"),
    targetEntities: Schema.optionalKey(Schema.Array(Schema.Json).check(Schema.isMaxLength(0))),
    thirdPartyDistributionChannels: Schema.optionalKey(Schema.Array(Schema.Json).check(Schema.isMaxLength(0)))
  }),
  content: Schema.optionalKey(
    Schema.Struct({
      media: Schema.optionalKey(Media),
      multiImage: Schema.optionalKey(MultiImage),
      article: Schema.optionalKey(Article),
      poll: Schema.optionalKey(Poll),
      reference: Schema.optionalKey(Schema.Struct({ id: urn("event") }))
    }).check(
      Schema.makeFilter(
        (content: object) => Object.keys(content).length === 1 || "is one of its kinds, not several"
      )
    )
  ),
  reshareContext: Schema.optionalKey(Schema.Struct({ parent: urn("share", "ugcPost", "activity") })),
  lifecycleState: Schema.Literal("PUBLISHED"),
  isReshareDisabledByAuthor: Schema.optionalKey(Schema.Boolean)
})
export interface PostDraft extends Schema.Schema.Type<typeof PostDraft> {}

const owner = urn("person", "organization")
export const FileUpload = Schema.Struct({ initializeUploadRequest: Schema.Struct({ owner }) })
export const VideoUpload = Schema.Struct({
  initializeUploadRequest: Schema.Struct({
    owner,
    fileSizeBytes: Schema.Int.check(Schema.isBetween({ minimum: 75_000, maximum: 500_000_000 })),
    uploadCaptions: Schema.optionalKey(Schema.Literal(false)),
    uploadThumbnail: Schema.optionalKey(Schema.Boolean)
  })
})
export const VideoEnd = Schema.Struct({
  finalizeUploadRequest: Schema.Struct({
    video: urn("video"),
    uploadToken: Schema.String,
    uploadedPartIds: Schema.Array(Schema.String)
  })
})
export const CommentDraft = Schema.Struct({
  actor: owner,
  object: urn("share", "ugcPost", "activity"),
  message: Schema.Struct({ text: text(1250).check(Schema.isMinLength(1)) })
})
