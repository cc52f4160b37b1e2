import { Config, Context, Effect, Layer, Option, Schema } from "effect"
import { resolve } from "node:path"

/** Every environment variable that the test network reads. */
export class SandboxConfig extends Context.Service<
  SandboxConfig,
  {
    readonly host: string
    /** 0: any free port. */
    readonly port: number
    /** Names at which it answers besides this machine's own, where SANDBOX_HOST lets others in. */
    readonly allowedHosts: ReadonlyArray<string>
    /** The directory of the ledger and the media; none: in memory. */
    readonly directory: Option.Option<string>
  }
>()("@carillon/sandbox/SandboxConfig") {
  static readonly layer = Layer.effect(
    SandboxConfig,
    Config.all({
      host: Config.String("SANDBOX_HOST").pipe(Config.withDefault("127.0.0.1")),
      port: Config.schema(
        Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
        "SANDBOX_PORT"
      ).pipe(Config.withDefault(4401)),
      allowedHosts: Config.String("SANDBOX_ALLOWED_HOSTS").pipe(
        Config.withDefault(""),
        Config.map((text) =>
          text
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "")
        )
      ),
      directory: Config.option(Config.NonEmptyString("SANDBOX_DIR").pipe(Config.map((path) => resolve(path))))
    }).pipe(Effect.map((config) => SandboxConfig.of(config)))
  )
}
