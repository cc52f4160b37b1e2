import type { Schema } from "effect"

export interface Board {
  /** Digits, above 2^53. */
  readonly id: string
  readonly name: string
  readonly privacy: "PUBLIC" | "SECRET"
  readonly sections: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

const named = (
  account: string
): ReadonlyArray<readonly [string, Board["privacy"], ReadonlyArray<string>]> => {
  if (account.endsWith("-noboards")) return []
  if (account.endsWith("-oneboard")) return [["Ideas", "PUBLIC", []]]
  const usual = [
    ["Ideas", "PUBLIC", ["Now", "Later"]],
    ["Recipes", "PUBLIC", []],
    ["Surprises", "SECRET", []]
  ] as const
  return account.endsWith("-manyboards")
    ? [...usual, ...Array.from({ length: 300 }, (_, n) => [`Board ${n + 4}`, "PUBLIC", []] as const)]
    : usual
}

/**
 * The boards of an account, which follow from its name: `...-noboards` has none, `...-oneboard` one, `...-manyboards`
 * 303, all others three, of which one is secret.
 */
export const boardsOf = (account: string, accountId: string): ReadonlyArray<Board> =>
  named(account).map(([name, privacy, sections], n) => {
    // All of them fit into 63 bits, as Pinterest's own do.
    const id = BigInt(accountId) * 400n + BigInt(n)
    return {
      id: String(id),
      name,
      privacy,
      sections: sections.map((section, k) => ({
        id: String(id + 1_000_000_000_000_000_000n * BigInt(k + 1)),
        name: section
      }))
    }
  })

export const boardResource = (
  { id, name, privacy }: Board,
  account: string,
  pins: number
): { readonly [key: string]: Schema.Json } => ({
  id,
  name,
  description: "",
  owner: { username: account },
  privacy,
  created_at: "2024-01-01T00:00:00Z",
  board_pins_modified_at: "2024-01-01T00:00:00Z",
  collaborator_count: 0,
  follower_count: 0,
  pin_count: pins,
  is_ads_only: false,
  media: { image_cover_url: null, pin_thumbnail_urls: [] }
})
