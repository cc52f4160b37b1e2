import { Context } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A body has to arrive within `millis`. An upload has that time for each `uploadBytes`. */
export const BodyPace = Context.Reference<{ readonly millis: number; readonly uploadBytes: number }>(
  "@carillon/server/http/BodyPace",
  { defaultValue: () => ({ millis: 30_000, uploadBytes: 64 * 1024 }) }
)

/** A body that has not arrived yet. */
const isAwaited = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** After a freeze the process first has to see what has arrived meanwhile. */
const toCatchUp = 200

/** The time for the rest of an unread body, which most often is on its way: then the connection is kept. */
const toEnd = 1000

/** Calls `late` if the body falls behind the pace. Closes the connection if the body is still missing after the answer. */
export const watchBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { millis, uploadBytes, isUpload }: typeof BodyPace.Service & { readonly isUpload: boolean },
  late: () => void
): void => {
  // Most requests have arrived whole with the first packet, but Node has not looked at it yet.
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
    // Bytes that wait to be read have arrived in time.
    if (!isUpload || (now - before < uploadBytes && request.readableLength === 0)) return late()
    before = now
    wait()
  }
  wait()
  response.once("close", () => {
    clearTimeout(timer)
    if (!isAwaited(request)) return
    const end = () => isAwaited(request) && request.socket.destroy()
    setTimeout(() => setTimeout(end, toCatchUp).unref(), toEnd).unref()
  })
}
