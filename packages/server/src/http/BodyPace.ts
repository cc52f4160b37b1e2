import { Context } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** In which time a body has to be there, and of an upload so many bytes each time. */
export const BodyPace = Context.Reference<{ readonly millis: number; readonly uploadBytes: number }>(
  "@carillon/server/http/BodyPace",
  { defaultValue: () => ({ millis: 30_000, uploadBytes: 64 * 1024 }) }
)

/** A body that has not arrived yet. */
const isAwaited = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** A process that stood still has to see first what has come meanwhile. */
const toCatchUp = 200

/** For the rest of a body that nobody reads: most often it is on its way, and the connection can go on. */
const toEnd = 1000

/** Calls `late` when a body does not keep the pace, and closes the connection of one that is not there after the answer. */
export const watchBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { millis, uploadBytes, isUpload }: typeof BodyPace.Service & { readonly isUpload: boolean },
  late: () => void
): void => {
  // Of most requests all has come with the first packet, but Node has not looked at it yet.
  if (!isAwaited(request)) return
  let timer: NodeJS.Timeout
  let before = request.socket.bytesRead
  const wait = () => {
    timer = setTimeout(() => {
      timer = setTimeout(look, toCatchUp)
    }, millis)
  }
  const look = () => {
    if (!isAwaited(request)) return
    const now = request.socket.bytesRead
    // What waits to be taken has come in time.
    if (!isUpload || (now - before < uploadBytes && request.readableLength === 0)) return late()
    before = now
    wait()
  }
  wait()
  response.once("close", () => {
    clearTimeout(timer)
    if (isAwaited(request)) setTimeout(() => isAwaited(request) && request.socket.destroy(), toEnd).unref()
  })
}
