import { type AccountLimits, mediaWarnings, platformRules, rulesFor } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const bytesOf = (limits: AccountLimits | null) => {
  const [post] = rulesFor({ platform: "bluesky", limits }).placements
  return [post!.images?.max_bytes, post!.videos?.max_bytes]
}

describe("a Bluesky account with limits of its server", () => {
  it.each([
    ["no limits known", null, [2_000_000, 300_000_000]],
    ["a server that names none", { video_service: true }, [2_000_000, 300_000_000]],
    ["a wide limit", { file_bytes: 900_000_000, video_service: false }, [2_000_000, 300_000_000]],
    // The service sends the server a copy of its own, whose size nobody knows before.
    ["a narrow limit", { file_bytes: 1_000_000, video_service: true }, [1_000_000, 300_000_000]],
    [
      "a narrow limit and no video service",
      { file_bytes: 1_000_000, video_service: false },
      [1_000_000, 1_000_000]
    ],
    ["a limit between the two", { file_bytes: 5_242_880, video_service: false }, [2_000_000, 5_242_880]]
  ] as const)("takes as much as both allow: %s", (_, limits, expected) => {
    assert.deepStrictEqual(bytesOf(limits), [...expected])
    assert.deepStrictEqual(rulesFor({ platform: "bluesky", limits }).chains, platformRules.bluesky.chains)
  })

  const media = [
    { id: "a", name: "bells.jpg", kind: "image", size_bytes: 9_000_000 },
    { id: "b", name: "bells.mp4", kind: "video", size_bytes: 9_000_000 },
    { id: "c", name: "chimes.mp4", kind: "video", size_bytes: 4_000_000 },
    { id: "d", name: "", kind: null, size_bytes: null }
  ] as const
  const warned = (
    limits: AccountLimits | null,
    ids: ReadonlyArray<string>,
    thread: ReadonlyArray<string> = []
  ) =>
    mediaWarnings(
      {
        caption: "x",
        media: ids,
        thread: thread.map((id) => ({ caption: "y", media: [id] })),
        platform_configurations: null,
        account_configurations: null
      },
      [{ id: 7, platform: "bluesky", limits }],
      media
    )
  const hidden = /^Bluesky \(account 7\) sends the video as it is/
  const larger = /^Bluesky \(account 7\) .* 5242880 bytes.*"bells\.mp4".*9000000/

  it.each([
    ["a video that no video service reaches", { video_service: false }, ["b"], [], [hidden]],
    ["such a video of a thread's last item, once", { video_service: false }, ["c"], ["a", "b"], [hidden]],
    [
      "a video whose copy may be too large",
      { file_bytes: 5_242_880, video_service: true },
      ["b"],
      [],
      [larger]
    ],
    ["a small video", { file_bytes: 5_242_880, video_service: true }, ["c"], [], []],
    ["a picture", { file_bytes: 5_242_880, video_service: false }, ["a"], [], []],
    ["a file that is still fetched", { file_bytes: 5_242_880, video_service: false }, ["d"], [], []],
    ["an account of which nothing is known", null, ["b"], [], []]
  ] as const)("warns of what apps may not show: %s", (_, limits, ids, thread, expected) => {
    const warnings = warned(limits, ids, thread)
    assert.strictEqual(warnings.length, expected.length, warnings.join("\n"))
    expected.forEach((words, index) => assert.match(warnings[index]!, words))
  })
})
