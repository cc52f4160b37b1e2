const native = (client_id: string, client_name: string, redirect_uris: ReadonlyArray<string>) => ({
  client_id,
  client_name,
  redirect_uris,
  application_type: "native",
  token_endpoint_auth_method: "none"
})

/**
 * Documents of well-known apps, for instances that cannot fetch them: without internet access, or refused as a cloud
 * address. Taken from what vendors publish and others recorded, September 2026; a fetched document wins.
 */
export const pinnedDocuments = [
  native("https://claude.ai/oauth/claude-code-client-metadata", "Claude Code", [
    "http://localhost/callback",
    "http://127.0.0.1/callback"
  ]),
  {
    client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    client_name: "Claude",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
    token_endpoint_auth_method: "none"
  },
  {
    client_id: "https://chatgpt.com/oauth/client.json",
    client_name: "ChatGPT",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    token_endpoint_auth_method: "none"
  },
  native("https://chatgpt.com/oauth/codex/client.json", "Codex", [
    "http://127.0.0.1/callback",
    "http://localhost/callback"
  ]),
  native("https://vscode.dev/oauth/client-metadata.json", "Visual Studio Code", [
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
    "https://vscode.dev/redirect"
  ]),
  native("https://zed.dev/oauth/client-metadata.json", "Zed", ["http://127.0.0.1/callback"]),
  native("https://api.factory.ai/mcp/oauth-client", "Factory Droid", ["http://127.0.0.1/callback"])
]
