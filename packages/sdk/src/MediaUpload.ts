import { CarillonError, TimeoutError } from "./Errors.ts"
import { pause } from "./Pause.ts"
import { retryDelay } from "./RetryPolicy.ts"
import { pathTo, type RequestOptions, type Transport } from "./Transport.ts"
import type { UploadSource } from "./UploadSource.ts"
import type { Media, ReserveUpload, UploadReservation } from "./Wire.ts"

/** The progress of an upload in bytes. It starts again at 0 when the bytes have to be sent again. */
export interface UploadProgress {
  readonly sent: number
  readonly total: number
}

export interface UploadSteps extends RequestOptions {
  /** Called as bytes are handed to the network, at first with `sent: 0`. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
  /** Called with the reservation before the first byte is sent: keep it to resume a broken upload. */
  readonly onReserved?: ((reservation: UploadReservation) => void) | undefined
  /** An earlier reservation for the same file; while it is good no new one is made. */
  readonly reservation?: UploadReservation | undefined
}

/** Reserves, sends and confirms; sends again if the connection breaks and the bytes can be read again. */
export const uploadMedia = async (
  transport: Transport,
  source: UploadSource,
  { onProgress, onReserved, reservation: earlier, ...request }: UploadSteps
): Promise<Media> => {
  const retries = source.repeatable ? (request.maxRetries ?? transport.maxRetries) : 0

  const reserve = async (): Promise<UploadReservation> => {
    const body: ReserveUpload = {
      mime_type: source.mimeType,
      size_bytes: source.size,
      ...(source.name === undefined ? {} : { name: source.name })
    }
    const made = await transport.request<UploadReservation>("POST", "/v1/media/create-upload-url", {
      ...request,
      body
    })
    onReserved?.(made)
    return made
  }

  const confirm = ({ media_id }: UploadReservation) =>
    transport.request<Media>("POST", `${pathTo("/v1/media", media_id)}/complete`, request)

  /** The bytes may have arrived although their answer did not. */
  const arrived = async (reservation: UploadReservation): Promise<Media | undefined> => {
    try {
      return await confirm(reservation)
    } catch (error) {
      if (hasCode(error, "upload_incomplete", "not_found")) return undefined
      throw error
    }
  }

  let reservation = earlier ?? (await reserve())
  if (earlier !== undefined) {
    const media = await arrived(earlier)
    if (media !== undefined) return media
    if (Date.parse(earlier.expires_at) <= Date.now()) reservation = await reserve()
  }
  for (let retry = 0; ; retry++) {
    try {
      await send(transport, source, reservation, request, onProgress)
      return await confirm(reservation)
    } catch (error) {
      if (reservation === earlier && hasCode(error, "signature_expired", "not_found")) {
        reservation = await reserve()
        continue
      }
      const delay = retry < retries ? delayOf(error, retry) : undefined
      if (delay === undefined) throw error
      await pause(delay, transport.untilAborted(request.signal))
      const media = await arrived(reservation)
      if (media !== undefined) return media
    }
  }
}

/** The other end does not notice a broken connection at once; until then the upload counts as running. */
const untilNoticed = 10_000

const delayOf = (error: unknown, retry: number) =>
  hasCode(error, "upload_in_progress") ? untilNoticed : retryDelay(error, retry)

const hasCode = (error: unknown, ...codes: ReadonlyArray<string>) =>
  error instanceof CarillonError && codes.includes(error.code)

/** Sends the bytes once. They may take any time, but not stall. */
const send = async (
  transport: Transport,
  source: UploadSource,
  { upload_url: url }: UploadReservation,
  { signal, timeout = transport.timeout }: RequestOptions,
  onProgress: UploadSteps["onProgress"]
): Promise<void> => {
  const total = source.size
  const stalled = new AbortController()
  const given = transport.untilAborted(signal)
  let watch: ReturnType<typeof setTimeout> | undefined
  let ended = false
  let last = 0
  const moved = (sent: number) => {
    clearTimeout(watch)
    if (ended) return
    last = sent
    // After the last byte the service reads the file, for as long as that takes.
    if (sent < total) watch = setTimeout(() => stalled.abort(), timeout)
    onProgress?.({ sent, total })
  }
  moved(0)
  // Browsers send a stream only over HTTP/2, if at all. A Blob they stream by themselves.
  const whole = source.blob !== undefined && !sendsStreams
  // Without word of its progress it may take any time.
  if (whole && !transport.tellsProgress) clearTimeout(watch)
  try {
    await transport.put({
      url,
      mimeType: source.mimeType,
      size: total,
      body: whole ? source.blob : counted(source.read(), moved),
      signal: AbortSignal.any([given, stalled.signal]),
      ...(whole ? { onSent: moved } : {})
    })
    if (last < total) onProgress?.({ sent: total, total })
  } catch (error) {
    if (!stalled.signal.aborted || given.aborted) throw error
    throw new TimeoutError(`The upload stood still for ${timeout} ms.`, { code: "timeout", cause: error })
  } finally {
    ended = true
    clearTimeout(watch)
  }
}

const sendsStreams = globalThis.process?.versions !== undefined

const counted = (
  bytes: AsyncIterable<Uint8Array>,
  moved: (sent: number) => void
): ReadableStream<Uint8Array> => {
  const reader = bytes[Symbol.asyncIterator]()
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.next()
        if (done === true) return controller.close()
        sent += value.byteLength
        moved(sent)
        controller.enqueue(value)
      },
      async cancel() {
        await reader.return?.()
      }
    },
    { highWaterMark: 0 }
  )
}
