import type { RequestOptions, Transport } from "../Transport.ts"
import type {
  PlatformApp,
  PlatformAppList,
  PlatformAppName,
  PlatformAppRemoved,
  PlatformAppTest,
  SetPlatformApp,
  TestPlatformApp
} from "../Wire.ts"

/** The operator's own apps at the platforms, for owners and admin keys of the default workspace. */
export class PlatformAppsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Every app that the service can use, with where it comes from; never its secret.
   *
   * ```ts
   * const { data } = await carillon.platformApps.list()
   * for (const { app, source, redirect_url } of data) console.log(app, source, redirect_url)
   * ```
   *
   * @throws PermissionError `default_workspace_only` with a key of another workspace
   */
  list(options: RequestOptions = {}): Promise<PlatformAppList> {
    return this.#transport.request("GET", "/v1/platform-apps", options)
  }

  /**
   * Sets the id and secret of an app. They count at once. With another id, the `accounts` of before have to be connected again.
   *
   * ```ts
   * await carillon.platformApps.set("tiktok", { client_id: "aw1b2c3d", client_secret: process.env.TIKTOK_SECRET })
   * ```
   *
   * @throws ConflictError `set_by_environment` when the service's environment sets it
   * @throws PermissionError `confirm_password` for a session whose password was given too long ago
   */
  set(app: PlatformAppName, given: SetPlatformApp, options: RequestOptions = {}): Promise<PlatformApp> {
    return this.#transport.request("PUT", `/v1/platform-apps/${encodeURIComponent(app)}`, {
      ...options,
      body: given
    })
  }

  /**
   * Forgets an app that was set. Accounts that it connected have to be connected again.
   *
   * ```ts
   * await carillon.platformApps.remove("tiktok")
   * ```
   *
   * @throws NotFoundError when none is stored
   */
  remove(app: PlatformAppName, options: RequestOptions = {}): Promise<PlatformAppRemoved> {
    return this.#transport.request("DELETE", `/v1/platform-apps/${encodeURIComponent(app)}`, options)
  }

  /**
   * Asks the platform whether it knows an id and its secret, or without them those that count now.
   *
   * ```ts
   * const { result, message } = await carillon.platformApps.test("google")
   * if (result !== "accepted") console.log(message)
   * ```
   */
  test(
    app: PlatformAppName,
    typed: TestPlatformApp = {},
    options: RequestOptions = {}
  ): Promise<PlatformAppTest> {
    return this.#transport.request("POST", `/v1/platform-apps/${encodeURIComponent(app)}/test`, {
      ...options,
      body: typed
    })
  }
}
