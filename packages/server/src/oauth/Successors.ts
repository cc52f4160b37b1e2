import { createHmac } from "node:crypto"
import { Provider } from "oidc-provider"

interface Issued {
  readonly kind: string
  readonly aud?: string
  readonly scope?: string
}

interface WithId {
  generateTokenId(this: Issued): string
}

/** For the models' lifetimes: how long ago the refresh token was first exchanged, if this is a repetition. */
export const exchangedAgo = "carillon.exchangedMillisAgo"

/**
 * A refresh token that is exchanged again within its grace gives the same tokens as the first time. They are stored as
 * hashes, so they are made again: each is derived from the exchanged token under a key of ours.
 */
export const makeSuccessorsFollow = (provider: Provider, key: Uint8Array) => {
  for (const model of [provider.AccessToken, provider.RefreshToken]) {
    const prototype = model.prototype as unknown as WithId
    const random = prototype.generateTokenId
    prototype.generateTokenId = function () {
      // This sets the token's format too.
      const id = random.call(this)
      const exchanged = Provider.ctx?.oidc.entities.RotatedRefreshToken
      if (exchanged === undefined) return id
      // A refresh token continues the whole grant; an access token has the scopes of its request.
      const may = this.kind === "AccessToken" ? [this.aud, this.scope] : []
      return createHmac("sha256", key)
        .update(JSON.stringify([this.kind, exchanged.jti, ...may]))
        .digest("base64url")
    }
  }
}

/** A lifetime in seconds that starts with the first exchange, however often that is repeated. */
export const lasting =
  (seconds: number) =>
  (ctx: { readonly state: Record<string, unknown> }): number =>
    Math.max(1, seconds - Math.floor(Number(ctx.state[exchangedAgo] ?? 0) / 1000))
