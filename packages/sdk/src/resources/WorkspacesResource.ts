import type { RequestOptions, Transport } from "../Transport.ts"
import type { CreateWorkspace, NewWorkspace, WorkspaceFilter, WorkspaceList } from "../Wire.ts"

/** The workspaces of the instance, for admin keys of its default workspace (contract.md section 2). */
export class WorkspacesResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes a workspace. `api_key.key` is its first key, which is never shown again.
   *
   * @throws PermissionError `default_workspace_only` with a key of another workspace
   */
  create(workspace: CreateWorkspace, options: RequestOptions = {}): Promise<NewWorkspace> {
    return this.#transport.request("POST", "/v1/workspaces", { ...options, body: workspace })
  }

  /** Newest first. */
  list(filter: WorkspaceFilter = {}, options: RequestOptions = {}): Promise<WorkspaceList> {
    return this.#transport.request("GET", "/v1/workspaces", { ...options, query: filter })
  }
}
