import { AppConfig } from "@carillon/server/AppConfig"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { ConfigProvider, Layer } from "effect"

/** The configuration and keys of an instance that nobody has set up. */
export const layer = Secrets.layer.pipe(
  Layer.provideMerge(AppConfig.layer),
  Layer.provide(
    ConfigProvider.layer(
      ConfigProvider.fromUnknown({
        PUBLIC_URL: "https://carillon.example",
        CARILLON_SECRET: "a secret of at least thirty-two characters"
      })
    )
  )
)
