/** The audience of a token: one of the two addresses that take credentials. */
export const audiences = ["mcp", "v1"] as const
export type Audience = (typeof audiences)[number]

export const resourceOf = (publicUrl: string, audience: Audience) => `${publicUrl}/${audience}`
