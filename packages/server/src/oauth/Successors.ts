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

/** For the models' lifetimes: of how long ago the refresh token was exchanged first, where it comes again. */
export const exchangedAgo = "carillon.exchangedMillisAgo"

/**
 * A refresh token that is exchanged again within its grace gives the tokens that it gave at first. These are kept as
 * hashes, so they are not looked up but made again: each follows from the token that was exchanged, under a key of ours.
 */
export const makeSuccessorsFollow = (provider: Provider, key: Uint8Array) => {
  for (const model of [provider.AccessToken, provider.RefreshToken]) {
    const prototype = model.prototype as unknown as WithId
    const random = prototype.generateTokenId
    prototype.generateTokenId = function () {
      // Sets the token's format too.
      const id = random.call(this)
      const exchanged = Provider.ctx?.oidc.entities.RotatedRefreshToken
      if (exchanged === undefined) return id
      // A refresh token goes on with all of the grant; what an access token may do is the request's.
      const may = this.kind === "AccessToken" ? [this.aud, this.scope] : []
      return createHmac("sha256", key)
        .update(JSON.stringify([this.kind, exchanged.jti, ...may]))
        .digest("base64url")
    }
  }
}

/** A lifetime in seconds that begins with the first exchange, however often it is repeated. */
export const lasting =
  (seconds: number) =>
  (ctx: { readonly state: Record<string, unknown> }): number =>
    Math.max(1, seconds - Math.floor(Number(ctx.state[exchangedAgo] ?? 0) / 1000))
