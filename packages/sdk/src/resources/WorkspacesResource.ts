import { listAt, type ListRequest } from "../ListRequest.ts"
import type { RequestOptions, SendOptions, Transport } from "../Transport.ts"
import type { CreateWorkspace, NewWorkspace, WorkspaceFilter, WorkspaceList } from "../Wire.ts"

/** The workspaces of the instance, for admin keys of its default workspace. */
export class WorkspacesResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes a workspace. `api_key.key` is its first key, which is never shown again.
   *
   * ```ts
   * const { api_key } = await carillon.workspaces.create({ name: "Tower", timezone: "Europe/Paris" })
   * const tower = new Carillon({ apiKey: api_key.key })
   * ```
   *
   * @throws PermissionError `default_workspace_only` with a key of another workspace; `owner_only` for a manager
   */
  create(workspace: CreateWorkspace, options: SendOptions = {}): Promise<NewWorkspace> {
    return this.#transport.request("POST", "/v1/workspaces", { ...options, body: workspace })
  }

  /**
   * Newest first.
   *
   * ```ts
   * for await (const { id, name } of carillon.workspaces.list()) console.log(id, name)
   * ```
   */
  list(filter: WorkspaceFilter = {}, options: RequestOptions = {}): ListRequest<WorkspaceList> {
    return listAt(this.#transport, () => "/v1/workspaces", filter, options)
  }
}
