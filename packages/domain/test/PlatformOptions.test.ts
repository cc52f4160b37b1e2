import {
  AccountConfiguration,
  CreatePost,
  type PlatformId,
  platformOptions,
  platformRules
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

/** The names of the contract, word for word. */
const named: Partial<Record<PlatformId, string>> = {
  tiktok:
    "title draft video_cover_timestamp_ms is_aigc privacy_level privacy_status allow_comment allow_duet allow_stitch " +
    "disclose_branded_content disclose_your_brand auto_add_music photo_cover_index",
  instagram:
    "placement is_trial_reel trial_graduation video_cover_timestamp_ms cover_image share_to_feed collaborators user_tags " +
    "location_id alt_text first_comment is_aigc",
  youtube:
    "title description video_cover_timestamp_ms tags category_id privacy_status made_for_kids contains_synthetic_media " +
    "thumbnail notify_subscribers playlist_ids",
  pinterest: "title link board_ids board_section_id alt_text video_cover_timestamp_ms",
  twitter: "reply_settings community_id poll made_with_ai paid_partnership thread first_comment alt_text",
  linkedin:
    "document_title visibility disable_reshare reshare poll link link_card cover_image video_cover_timestamp_ms alt_text " +
    "first_comment",
  facebook: "placement link title location_id cover_image video_cover_timestamp_ms alt_text first_comment",
  threads: "location reply_control topic_tag alt_text",
  bluesky: "langs reply_gate labels link_card alt_text thread",
  mastodon: "visibility spoiler_text sensitive language alt_text focus thumbnail thread",
  google_business: "cta_action_type cta_url language_code"
}

const decode = Schema.decodeUnknownSync(CreatePost, { onExcessProperty: "error" })
const post = (rest: object) => decode({ social_accounts: [1], caption: "Bells", ...rest })

describe("the options of a platform", () => {
  it.each(Object.values(platformRules))(
    "the options of a platform of $name are all that its rules name",
    (rules) => {
      const { platform, destinations, text_options = [] } = rules
      const named = [destinations?.option ?? [], text_options].flat()
      assert.includeMembers(Object.keys(platformOptions[platform].fields), named)
    }
  )

  it.each(Object.entries(named))(
    "the options of a platform of %s are all that the contract names, and none is needed",
    (platform, options) => {
      assert.containsAllKeys(platformOptions[platform as PlatformId].fields, [
        ...options.split(" "),
        "caption",
        "media"
      ])
      post({ platform_configurations: { [platform]: {} } })
      post({ account_configurations: [{ account_id: 1 }] })
    }
  )

  const options = ["High", "Low"]
  it.each([
    [{ options, correct_option: 1, explanation: "It is older." }],
    [{ options, hide_totals: true, multiple: true }],
    [{ options, duration_minutes: 60 }],
    [{ options, duration_days: 3 }]
  ])("the poll of an account keeps every field, in a request and as it is stored: %j", (poll) => {
    const { account_configurations } = post({ account_configurations: [{ account_id: 1, poll }] })
    assert.deepStrictEqual(account_configurations, [{ account_id: 1, poll }])
    const stored = Schema.decodeUnknownSync(AccountConfiguration)({ account_id: 1, poll })
    assert.deepStrictEqual(stored, { account_id: 1, poll })
  })

  it("the poll of an account has no fields of two networks together", () => {
    const poll = { options, duration_days: 3, duration_minutes: 60 }
    assert.throws(
      () => post({ account_configurations: [{ account_id: 1, poll }] }),
      /no platform takes together/
    )
  })

  it("take points of a picture from -1.0 to 1.0, one for all or one for each", () => {
    const isFocus = (focus: unknown) => Schema.is(platformOptions.mastodon)({ focus })
    for (const right of ["0.0,0.5", "-1,1.0", "-.25, 0", ["0.1,-0.1", "0,0"]])
      assert.isTrue(isFocus(right), String(right))
    for (const wrong of ["1.1,0", "0", "0,0,0", "a,b", "", "1.01,0", "0 ,0", [""], [0, 0], { x: 0, y: 0 }])
      assert.isFalse(isFocus(wrong), String(wrong))
  })

  it("take the people in a picture by their names alone, at most 20", () => {
    const tags = (user_tags: ReadonlyArray<unknown>) =>
      post({ platform_configurations: { instagram: { user_tags } } }).platform_configurations?.instagram
        ?.user_tags
    assert.deepStrictEqual(tags(["alice", "@bob", { username: "@cal", x: 0.1, y: 1 }]), [
      { username: "alice" },
      { username: "bob" },
      { username: "cal", x: 0.1, y: 1 }
    ])
    assert.lengthOf(tags(Array.from({ length: 20 }, (_, index) => `friend${index}`))!, 20)
    for (const wrong of [
      Array.from({ length: 21 }, (_, index) => `friend${index}`),
      [7],
      [{ username: "a", x: "left" }],
      [{ username: "a", z: 1 }]
    ]) {
      assert.throws(() => tags(wrong))
    }
  })

  it("take one answer to who may reply on Bluesky, or several", () => {
    const gate = (reply_gate: unknown) =>
      post({ platform_configurations: { bluesky: { reply_gate } } }).platform_configurations?.bluesky
        ?.reply_gate
    assert.deepStrictEqual(gate("nobody"), ["nobody"])
    assert.deepStrictEqual(gate(["mentioned", "followers"]), ["mentioned", "followers"])
  })

  it("the options of a platform are left as they are given where a platform does not take the value, for the checks of the post", () => {
    for (const instagram of [
      { user_tags: ["a".repeat(32), "@bob"] },
      { user_tags: [{ username: "a", x: 2 }] },
      { placement: "wall" }
    ]) {
      assert.deepStrictEqual(post({ platform_configurations: { instagram } }).platform_configurations, {
        instagram
      } as object)
    }
  })

  it("take the specification's own examples, and every word of the contract for a value", () => {
    for (const platform_configurations of [
      { tiktok: { draft: true, video_cover_timestamp_ms: 1500, is_aigc: true } },
      { instagram: { is_trial_reel: true, trial_graduation: "SS_PERFORMANCE" } },
      { instagram: { is_trial_reel: true, trial_graduation: "MANUAL" } },
      { youtube: { title: "Evening bells" } },
      { pinterest: { title: "Bells", link: "https://example.com/bells", board_ids: ["1", "2"] } },
      ...["public", "private"].map((privacy_status) => ({ tiktok: { privacy_status } })),
      ...["feed", "reel", "story", "reels", "stories", "timeline"].map((placement) => ({
        instagram: { placement }
      })),
      ...["feed", "reel", "story"].map((placement) => ({ facebook: { placement } }))
    ]) {
      post({ platform_configurations })
    }
  })
})
