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

/** The operator's own apps on the platforms, for owners and admin keys of the default workspace. */
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
   * @throws PermissionError `default_workspace_only` with a key of another workspace; `owner_only` for a manager
   */
  list(options: RequestOptions = {}): Promise<PlatformAppList> {
    return this.#transport.request("GET", "/v1/platform-apps", options)
  }

  /**
   * Sets the id and secret of an app. They take effect at once. With another id, the `accounts` connected before must be reconnected.
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
   * Removes an app that was set. Accounts connected through it must be reconnected.
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
   * Asks the platform whether an id and its secret are valid; without them, those in use.
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
