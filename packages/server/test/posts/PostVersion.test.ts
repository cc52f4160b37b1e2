import { etagOf, matchesEtag } from "@carillon/server/posts/PostVersion"
import { assert, it } from "@effect/vitest"

const post = { version: 7 }

it("an ETag is the quoted version", () => assert.strictEqual(etagOf(post), '"7"'))

it.each(['"7"', "7", 'W/"7"', "*", '"6", "7"', ' "6" ,W/"7" '])("If-Match: %s names version 7", (header) =>
  assert.isTrue(matchesEtag(header, post))
)

it.each(['"6"', "6", "", '"77"', "77", 'W/"6", "8"', '"7'])(
  "If-Match: %s does not name version 7",
  (header) => assert.isFalse(matchesEtag(header, post))
)
