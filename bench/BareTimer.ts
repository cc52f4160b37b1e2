/**
 * The baseline of bench/lateness.ts: a process that knows nothing but a time and a list of posts, and sends all of
 * them to the platform at that instant. It has no database, no marker and nothing to store, so it shows what
 * the network, the platform and Node's own timer cost.
 */
import { Agent, request } from "node:http"

export interface TimedPosts {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly due: number
  readonly posts: ReadonlyArray<{ readonly token: string; readonly key: string; readonly body: string }>
}

const agent = new Agent({ keepAlive: true })

const send = (url: string, { token, key, body }: TimedPosts["posts"][number]) =>
  new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "idempotency-key": key,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body)
    }
    request(`${url}/api/posts`, { method: "POST", agent, headers }, (response) => {
      response.resume()
      response.once("end", () =>
        response.statusCode === 201
          ? resolve()
          : reject(new Error(`the sandbox answered ${response.statusCode}`))
      )
    })
      .once("error", reject)
      .end(body)
  })

const until = (due: number) =>
  new Promise<void>((resolve) => {
    // A timer may fire a little early.
    const look = () => (Date.now() >= due ? resolve() : setTimeout(look, due - Date.now()))
    look()
  })

process.on("message", async ({ url, due, posts }: TimedPosts) => {
  await until(due)
  await Promise.all(posts.map((post) => send(url, post)))
  process.send!("sent")
})
process.send!("ready")
