import { isRegisteredAs, redirectProblem } from "@carillon/server/oauth/RedirectAddress"
import { assert, describe, it } from "@effect/vitest"

describe("an address that answers go to", () => {
  for (const address of [
    "https://app.example/callback",
    "https://app.example:8443/callback?flow=1",
    "https://app.example/@name/callback",
    "http://127.0.0.1:33418/",
    "http://[::1]/callback",
    "com.example.app:/callback",
    "com.example.app:/people/me@home",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vendor.app/callback"
  ]) {
    it(`an address that answers go to is taken: ${address}`, () => assert.isNull(redirectProblem(address)))
  }

  for (const [address, problem] of [
    ["callback", "absolute"],
    ["//app.example/callback", "absolute"],
    ["https://me@app.example/callback", "user"],
    ["https://me:secret@app.example/callback", "user"],
    ["https://:secret@app.example/callback", "user"],
    ["https://@app.example/callback", "user"],
    ["https:me@app.example/callback", "user"],
    ["https:\\\\app.example@evil.example/callback", "user"],
    ["http://127.0.0.1:9@evil.example/callback", "user"],
    ["cursor://me@app/callback", "user"],
    ["https://app.example/call\nback", "control"],
    ["https://app.ex\tample/callback", "control"],
    ["https://app.example/callback\u0000", "control"],
    ["https://app.example/callback\u007F", "control"],
    [" https://app.example/callback", "control"],
    ["https://app.example/call back", "control"],
    ["https://app.example/\u202Ekcabllac", "control"],
    ["https://app\u200B.example/callback", "control"],
    ["https://*.app.example/callback", "wildcard"],
    ["https://%2A.app.example/callback", "wildcard"],
    ["https://app.example/*", "wildcard"],
    ["com.example.app:/*", "wildcard"],
    ["view-source:https://app.example/callback", "view-source"],
    ["ws://app.example/callback", "ws"],
    ["wss://app.example/callback", "wss"],
    ["WSS://app.example/callback", "wss"],
    ["mailto:someone@app.example", "mailto"],
    ["blob:https://app.example/0b6c", "blob"],
    ["about:blank", "about"],
    ["javascript:alert(1)", "javascript"],
    ["JavaScript:alert(1)", "javascript"],
    ["data:text/html,hello", "data"],
    ["file:///etc/passwd", "file"],
    ["filesystem:https://app.example/temporary/x", "filesystem"],
    ["vbscript:x", "vbscript"],
    ["intent://callback", "intent"],
    ["ftp://app.example/callback", "ftp"]
  ] as const) {
    it(`an address that answers go to is refused: ${JSON.stringify(address)}`, () =>
      assert.include(redirectProblem(address), problem))
  }
})

describe("an address that an app asks for", () => {
  const registered = "https://app.example/callback"
  const atHome = "http://127.0.0.1:9/callback"
  for (const [asked, address] of [
    [registered, registered],
    ["HTTPS://App.Example:443/callback", registered],
    ["https://app.example/other/../callback", registered],
    [registered, "HTTPS://APP.EXAMPLE/callback"],
    ["https://app.example", "https://app.example/"],
    ["http://127.0.0.1/callback", atHome],
    ["http://127.0.0.1:54321/callback", atHome],
    ["http://127.1:54321/callback", atHome],
    [atHome, "http://127.0.0.1/callback"],
    ["http://[::1]:5/callback", "http://[0:0::1]/callback"],
    ["com.example.app:/callback", "com.example.app:/callback"]
  ] as const) {
    it(`the address that an app asks for is ${address}: ${asked}`, () =>
      assert.isTrue(isRegisteredAs(asked, address)))
  }

  for (const [asked, address] of [
    ["https://app.example/callback/", registered],
    ["https://app.example/callback?", registered],
    ["https://app.example/callback#", registered],
    ["https://app.example/Callback", registered],
    ["https://app.example/%63allback", registered],
    ["https://app.example:444/callback", registered],
    ["https://app.example.evil.example/callback", registered],
    ["http://app.example/callback", registered],
    ["callback", registered],
    ["http://127.0.0.1:9/other", atHome],
    ["http://localhost:9/callback", atHome],
    ["http://127.0.0.2:9/callback", atHome],
    ["https://127.0.0.1:9/callback", atHome],
    ["http://evil.example:9/callback", atHome],
    ["com.example.app://callback", "com.example.app:/callback"]
  ] as const) {
    it(`the address that an app asks for is not ${address}: ${asked}`, () =>
      assert.isFalse(isRegisteredAs(asked, address)))
  }
})
