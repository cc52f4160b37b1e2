import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface VideoService {
  readonly origin: string
  readonly stop: () => void
}

const bytesOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Bluesky's video service as its lexicons (`app.bsky.video.*`) and https://docs.bsky.app/docs/tutorials/video describe it, but
 * for the encoding: with the token that came with the file it writes the same bytes to the account's real server.
 */
export const startVideoService = async (pds: string): Promise<VideoService> => {
  const jobs = new Map<string, { readonly file: Buffer; readonly token: string }>()
  const server = createServer(async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url!, "http://video")
    const token = request.headers.authorization ?? ""
    const say = (status: number, body: unknown) => {
      answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    }
    switch (pathname) {
      case "/xrpc/app.bsky.video.getUploadLimits":
        return say(200, {
          canUpload: token !== "",
          remainingDailyVideos: 25,
          remainingDailyBytes: 10_000_000_000
        })
      case "/xrpc/app.bsky.video.uploadVideo": {
        const jobId = `job-${jobs.size}`
        jobs.set(jobId, { file: await bytesOf(request), token })
        return say(200, { jobId, did: searchParams.get("did"), state: "JOB_STATE_CREATED" })
      }
      case "/xrpc/app.bsky.video.getJobStatus": {
        const jobId = searchParams.get("jobId")!
        const job = jobs.get(jobId)!
        const stored = await fetch(`${pds}/xrpc/com.atproto.repo.uploadBlob`, {
          method: "POST",
          headers: { authorization: job.token, "content-type": "video/mp4" },
          body: new Uint8Array(job.file)
        })
        const body = (await stored.json()) as { blob?: unknown; message?: string }
        const state = stored.ok ? "JOB_STATE_COMPLETED" : "JOB_STATE_FAILED"
        return say(200, { jobStatus: { jobId, state, failureCode: "pds_upload_failure", ...body } })
      }
      default:
        return say(404, { error: "MethodNotImplemented" })
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    // A DID names a host, and a port of localhost alone.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close()
  }
}
