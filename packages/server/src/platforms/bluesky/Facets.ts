import { detectFacets, type Facet } from "@carillon/domain"
import { Effect } from "effect"
import type { Schema } from "effect"
import type { PublishError } from "../Platform.ts"

/** The parts of a text that a reader can follow, as records hold them. A handle that nobody has stays text. */
export const facetsWith =
  (didOf: (handle: string) => Effect.Effect<string | null, PublishError>) =>
  (text: string): Effect.Effect<ReadonlyArray<Schema.Json>, PublishError> =>
    Effect.map(
      Effect.forEach(detectFacets(text), (facet) => toFacet(didOf, facet)),
      (facets) => facets.flat()
    )

const toFacet = Effect.fnUntraced(function* (
  didOf: (handle: string) => Effect.Effect<string | null, PublishError>,
  { start, end, ...part }: Facet
) {
  const index = { byteStart: start, byteEnd: end }
  switch (part.kind) {
    case "link":
      return [{ index, features: [{ $type: "app.bsky.richtext.facet#link", uri: part.uri }] }]
    case "tag":
      return [{ index, features: [{ $type: "app.bsky.richtext.facet#tag", tag: part.tag }] }]
    case "mention": {
      const did = yield* didOf(part.handle)
      return did === null ? [] : [{ index, features: [{ $type: "app.bsky.richtext.facet#mention", did }] }]
    }
  }
})
