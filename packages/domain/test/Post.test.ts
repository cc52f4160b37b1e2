import {
  CreatePost,
  hasScope,
  mediaIdsOf,
  postStatus,
  resolveContent,
  resultStatus,
  Scope,
  statesOf,
  TargetState,
  ResultStatus
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("a post's status", () => {
  const terminal: ReadonlySet<TargetState> = new Set(["published", "failed", "unconfirmed"])

  it.prop(
    "a post's status is scheduled exactly as long as a target is neither a draft's nor over",
    [Schema.NonEmptyArray(TargetState)],
    ([states]) => {
      const unfinished = states.some((state) => !terminal.has(state))
      assert.strictEqual(postStatus(states) === "scheduled" || postStatus(states) === "draft", unfinished)
    }
  )

  it.prop(
    "a post's status is published as soon as all are over and one is live",
    [Schema.NonEmptyArray(TargetState)],
    ([states]) => {
      const over = states.filter((state) => terminal.has(state))
      assert.strictEqual(postStatus([...over, "published"]), "published")
      assert.strictEqual(
        postStatus([...over.filter((state) => state !== "published"), "unconfirmed"]),
        "failed"
      )
    }
  )

  it("gives every engine state one word on the wire, and every word its states back", () => {
    for (const state of TargetState.literals) assert.include(statesOf(resultStatus(state)), state)
    assert.deepStrictEqual(
      ResultStatus.literals.flatMap(statesOf).toSorted(),
      [...TargetState.literals].toSorted()
    )
  })
})

describe("overrides", () => {
  const content = {
    caption: "shared",
    media: ["a"],
    platform_configurations: {
      bluesky: { caption: "for bluesky", langs: ["en"] },
      sandbox: { media: ["b"] }
    },
    account_configurations: [{ account_id: 7, caption: "for seven" }]
  }

  it("let the account's value win over the platform's and that over the shared one", () => {
    assert.strictEqual(resolveContent(content, "bluesky", 7).caption, "for seven")
    assert.strictEqual(resolveContent(content, "bluesky", 8).caption, "for bluesky")
    assert.strictEqual(resolveContent(content, "sandbox", 8).caption, "shared")
    assert.deepStrictEqual(resolveContent(content, "sandbox", 8).media, ["b"])
    assert.deepStrictEqual(resolveContent(content, "bluesky", 7).media, ["a"])
  })

  it("say where in the request a value came from, and leave the options without it", () => {
    assert.strictEqual(resolveContent(content, "bluesky", 7).captionPath, "account_configurations[0].caption")
    assert.strictEqual(
      resolveContent(content, "bluesky", 8).captionPath,
      "platform_configurations.bluesky.caption"
    )
    assert.deepStrictEqual(resolveContent(content, "bluesky", 8).options, { langs: ["en"] })
  })

  it("count towards the media that the post uses", () => {
    assert.deepStrictEqual(mediaIdsOf(content), ["a", "b"])
  })
})

describe("a create request", () => {
  const decode = Schema.decodeUnknownSync(CreatePost, { onExcessProperty: "error" })

  it("takes account_configurations as the array or wrapped in an object of that name", () => {
    const entries = [{ account_id: 1, caption: "x" }]
    const plain = decode({ social_accounts: [1], account_configurations: entries })
    const wrapped = decode({
      social_accounts: [1],
      account_configurations: { account_configurations: entries }
    })
    assert.deepStrictEqual(plain.account_configurations, entries)
    assert.deepStrictEqual(wrapped, plain)
  })

  it("refuses a misspelt option of a platform", () => {
    assert.throws(
      () => decode({ social_accounts: [1], platform_configurations: { bluesky: { lang: "en" } } }),
      /lang/
    )
  })
})

describe("scopes", () => {
  it("imply what they are made of", () => {
    assert.isTrue(hasScope(["posts:publish"], "posts:read"))
    assert.isTrue(hasScope(["media:write"], "media:read"))
    for (const scope of Scope.literals) assert.isTrue(hasScope(["admin"], scope))
  })

  it("the other scopes imply nothing", () => {
    assert.isFalse(hasScope(["posts:write"], "posts:publish"))
    assert.isFalse(hasScope(["posts:read", "accounts:write"], "media:read"))
    assert.isFalse(hasScope([], "posts:read"))
  })
})
