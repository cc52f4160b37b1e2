import { chunkCount, chunkSizes, nextChunk } from "@carillon/server/platforms/tiktok/Chunks"
import { assert, it } from "@effect/vitest"

it.each([1, 4_999_999, 5_000_000, 10_485_760, 10_485_761, 20_000_000, 64_000_000, 64_000_001, 4_000_000_000])(
  "%d bytes go to TikTok in chunks that its transfer guide allows, each way",
  (size) => {
    const counts = chunkSizes(size).map((chunk_size) => chunkCount(size, chunk_size))
    assert.lengthOf(new Set(counts), counts.length)
    // https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide
    for (const chunk_size of chunkSizes(size)) {
      const count = chunkCount(size, chunk_size)
      assert.strictEqual(count, Math.floor(size / chunk_size))
      assert.isTrue(count <= 1000 && chunk_size <= 64_000_000)
      assert.isTrue(chunk_size >= 5_000_000 || chunk_size === size)
      assert.isTrue(count > 1 || size <= 64_000_000)
      let sent = 0
      for (let index = 1; index <= count; index++) {
        const { start, end, last } = nextChunk(sent, size, chunk_size)
        assert.deepStrictEqual([start, last], [sent, index === count])
        assert.isAtMost(end + 1 - start, 128_000_000)
        sent = end + 1
      }
      assert.strictEqual(sent, size)
    }
  }
)
