import { type AccountLimits, platformRules } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "../preflight/Samples.ts"

// https://core.telegram.org/bots/api#sending-files and …#using-a-local-bot-api-server

const placementOf = (name: string) =>
  platformRules.telegram.placements.find((placement) => placement.name === name)!
const broken = (media: ReadonlyArray<ReturnType<typeof fitting>>, limits: AccountLimits) =>
  check("telegram", { media, limits }).map(({ rule }) => rule)

describe("the size of a file", () => {
  it.each([
    ["media", "video"],
    ["documents", "document"]
  ] as const)(
    "the size of a file is 50 MB at Telegram, and 2,000 MB at a server of the operator's own: %s",
    (name, kind) => {
      const own = { video_bytes: 2_000_000_000, document_bytes: 2_000_000_000 }
      const of = (size_bytes: number) => [fitting(placementOf(name), kind, { size_bytes })]
      assert.deepStrictEqual(broken(of(50_000_000), {}), [])
      assert.deepStrictEqual(broken(of(50_000_001), {}), ["max_bytes"])
      assert.deepStrictEqual(broken(of(2_000_000_000), own), [])
      assert.deepStrictEqual(broken(of(2_000_000_001), own), ["max_bytes"])
    }
  )
})
