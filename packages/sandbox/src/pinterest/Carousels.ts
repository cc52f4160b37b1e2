import type { Publication } from "../Ledger.ts"

const words = (about: string, length: number) =>
  `${about}, seen from the tower. `.repeat(length).slice(0, length)

/** The old pins of a board, newest first: 300 pins of five pictures, each with words of its own. */
export const carouselsOf = (account: string, boardId: string): ReadonlyArray<Publication> =>
  Array.from({ length: 300 }, (_, n) => {
    const at = new Date(Date.UTC(2025, 0, 1) - n * 86_400_000).toISOString()
    const id = String(BigInt(boardId) * 1000n + BigInt(n))
    return {
      id,
      platform: "pinterest",
      account,
      title: `Bells ${n}`,
      text: words(`Bells ${n}`, 800),
      media: Array.from({ length: 5 }, (__, index) => ({
        id: `${id}${index}`,
        sha256: "0".repeat(64),
        size: 1,
        content_type: "image/jpeg",
        alt_text: words("A bell", 500)
      })),
      idempotency_key: null,
      client_reference: null,
      received_at: at,
      published_at: at,
      details: {
        board_id: boardId,
        items: Array.from({ length: 5 }, (__, index) => ({
          title: `Bell ${index}`,
          description: words("A bell", 300),
          link: `https://example.com/bells/${n}/${index}`
        }))
      },
      requests: []
    }
  })
