import { PlatformConfigurations, SocialAccountId } from "@carillon/domain"
import { changedContent, contentFor, newContent, overridesLost } from "@carillon/server/posts/PostContent"
import { assert, describe, it } from "@effect/vitest"

const account = (id: number) => SocialAccountId.make(id)

const before = {
  social_accounts: [1, 2],
  caption: "Hello",
  media: ["a"],
  thread: null,
  thread_fallback: null,
  platform_configurations: PlatformConfigurations.make({ bluesky: { caption: "Sky" } }),
  account_configurations: [1, 2].map((id) => ({ account_id: account(id), caption: `For ${id}` })),
  processing_enabled: false
}

describe("what a post says", () => {
  it("what a post says is nothing but its accounts at first, whatever is left out or null", () => {
    const empty = {
      social_accounts: [1],
      caption: null,
      media: [],
      thread: null,
      thread_fallback: null,
      platform_configurations: null,
      account_configurations: null,
      processing_enabled: true
    }
    assert.deepStrictEqual(newContent({ social_accounts: [account(1)] }, []), empty)
    assert.deepStrictEqual(
      newContent(
        {
          social_accounts: [account(1)],
          caption: null,
          media: null,
          platform_configurations: null,
          processing_enabled: null,
          is_draft: true
        },
        []
      ),
      empty
    )
  })

  it("stays where a change leaves it out", () => {
    assert.deepStrictEqual(changedContent(before, { is_draft: false }), before)
    assert.deepStrictEqual(changedContent(before, { caption: "New" }), { ...before, caption: "New" })
  })

  it("loses the overrides of accounts that leave it, unless the change says which there are", () => {
    const [first, second] = before.account_configurations
    const left = { ...before, social_accounts: [2, 3], account_configurations: [second!] }
    assert.deepStrictEqual(changedContent(before, { social_accounts: [2, 3] }), left)
    assert.deepStrictEqual(overridesLost(before, { social_accounts: [2, 3] }), [1])
    assert.isNull(changedContent(before, { social_accounts: [3] }).account_configurations)
    for (const account_configurations of [[first!], null]) {
      const changes = { social_accounts: [2], account_configurations }
      assert.deepStrictEqual(changedContent(before, changes).account_configurations, account_configurations)
      assert.deepStrictEqual(overridesLost(before, changes), [])
    }
    assert.deepStrictEqual(overridesLost(before, { caption: "New" }), [])
    assert.deepStrictEqual(
      overridesLost({ ...before, account_configurations: null }, { social_accounts: [] }),
      []
    )
  })

  it("what a post says is emptied by null", () => {
    assert.deepStrictEqual(
      changedContent(before, {
        caption: null,
        media: null,
        platform_configurations: null,
        account_configurations: null,
        processing_enabled: null
      }),
      {
        social_accounts: [1, 2],
        caption: null,
        media: [],
        thread: null,
        thread_fallback: null,
        platform_configurations: null,
        account_configurations: null,
        processing_enabled: true
      }
    )
  })

  it("what some of a post's accounts see leaves out what is only for the others", () => {
    assert.deepStrictEqual(contentFor(before, [2]), {
      ...before,
      social_accounts: [2],
      account_configurations: [before.account_configurations[1]!]
    })
    assert.isNull(contentFor({ ...before, account_configurations: null }, [2]).account_configurations)
  })
})
