import { badRequest, isProblem, mimeTypes, ReserveUpload, markup } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../../AppConfig.ts"
import { htmlPage } from "../../http/HtmlPage.ts"
import { jsonText } from "../../http/JsonBody.ts"
import { problemItems, problemResponse } from "../../http/Problems.ts"
import { BrowserUploads } from "./BrowserUploads.ts"
import type { Signature } from "../files/SignedUrls.ts"

const decodeFile = Schema.decodeUnknownEffect(Schema.fromJsonString(ReserveUpload), {
  errors: "all",
  onExcessProperty: "error",
  reportInput: true
})

/** The page on which a person gives an agent a file: `/upload/{media_id}`, signed. */
export const UploadPagesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const uploads = yield* BrowserUploads
    const config = yield* AppConfig

    const asked = Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      const query = yield* HttpServerRequest.ParsedSearchParams
      const given: Signature = {
        expires: String(query["expires"] ?? ""),
        signature: String(query["signature"] ?? "")
      }
      return { id: params["media_id"] ?? "", given }
    })

    yield* router.add(
      "GET",
      "/upload/:media_id",
      Effect.gen(function* () {
        const { id, given } = yield* asked
        return (yield* uploads.look(id, given)) ? choosePage : donePage
      }).pipe(
        Effect.catchTag("Forbidden", ({ code, detail }) =>
          Effect.succeed(
            htmlPage({
              title: "This page is closed",
              body: markup`<p>${plainly[code] ?? detail}</p>`,
              status: 403,
              bad: true
            })
          )
        )
      )
    )

    yield* router.add(
      "POST",
      "/upload/:media_id",
      Effect.gen(function* () {
        const { id, given } = yield* asked
        // Before the body is read: a stranger's is not.
        yield* uploads.look(id, given)
        const file = yield* decodeFile(yield* jsonText([ReserveUpload])).pipe(
          Effect.mapError(({ issue }) => badRequest(problemItems(issue)))
        )
        return HttpServerResponse.jsonUnsafe(yield* uploads.begin(id, given, file), {
          headers: { "cache-control": "no-store" }
        })
      }).pipe(
        Effect.catch((failure) =>
          isProblem(failure)
            ? Effect.provideService(problemResponse(failure), AppConfig, config)
            : Effect.die(failure)
        )
      )
    )
  })
)

/** Sentences for a person in the place of those for programs, by the problem's code. */
const plainly: Readonly<Record<string, string>> = {
  media_type_mismatch:
    "The file is not what its name says, or Carillon does not accept its kind. Save it again as a picture, a video or a PDF, or choose another one.",
  upload_size_mismatch: "The file changed while it was being sent. Choose it again.",
  signature_invalid:
    "The address of this page was changed or cut off. Open it exactly as it was given, or ask in the chat for a new one.",
  signature_expired: "This page has expired. It works for fifteen minutes. Ask in the chat for a new one."
}

/** Some browsers do not know the type of every file that the service takes. */
const script = `
const types = { heic: "image/heic", mov: "video/quicktime", webm: "video/webm", webp: "image/webp" }
const form = document.forms[0], bar = document.querySelector("progress"), said = document.querySelector("output")
const say = (text) => { said.textContent = text }
const broke = "The connection broke. Check it and try again."
const takes = document.querySelector("input").accept.split(",")
const plainly = ${JSON.stringify(plainly)}
// A proxy in front refuses in a language of its own.
const reason = (status, text) => {
  try { const { code, detail } = JSON.parse(text); return plainly[code] ?? detail } catch {
    return status === 413 ? "The file is larger than a proxy in front of Carillon allows. Choose a smaller one." : "The server refused the file (" + status + "). Try again later."
  }
}
const put = (url, file, type) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open("PUT", url)
  request.setRequestHeader("content-type", type)
  request.upload.onprogress = ({ loaded, total }) => { bar.hidden = false; bar.max = total; bar.value = loaded }
  request.onload = () => request.status === 200 ? resolve() : reject(new Error(reason(request.status, request.responseText)))
  request.onerror = () => reject(new Error(broke))
  request.send(file)
})
form.onsubmit = async (event) => {
  event.preventDefault()
  const file = form.elements.file.files[0], button = form.querySelector("button")
  const type = file.type || types[file.name.split(".").pop().toLowerCase()] || "application/octet-stream"
  if (file.size === 0) return say("The file is empty. Choose another one.")
  if (!takes.includes(type)) return say("Carillon does not accept this kind of file. Choose a picture (JPEG, PNG, WebP, GIF, HEIC), a video (MP4, MOV, WebM) or a PDF.")
  button.disabled = true
  say("Sending " + file.name + " …")
  try {
    const answer = await fetch(location.href, { method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ mime_type: type, size_bytes: file.size, name: file.name }) }).catch(() => { throw new Error(broke) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(reason(answer.status, text))
    await put(JSON.parse(text).upload_url, file, type)
    form.hidden = true
    say("The file has arrived. Go back to the chat and say that it is there.")
  } catch (error) {
    button.disabled = false
    say(error.message)
  }
}
`

const choosePage = htmlPage({
  title: "Choose a file",
  script: { source: script, sends: true },
  body: markup`<p>It goes into the media library, for the post that you are writing in the chat.</p>
<form><p><label for="file">Picture, video or PDF</label>
<input id="file" name="file" type="file" required accept="${Object.keys(mimeTypes).join(",")}"></p>
<p><progress hidden></progress></p><button>Send the file</button></form>
<p><output role="status"></output></p>
<p class="soft">This page works once, for fifteen minutes, and only for whoever has its address.</p>
<noscript><p>This page needs JavaScript to send a file.</p></noscript>`
})

const donePage = htmlPage({
  title: "The file has arrived",
  body: markup`<p>This page takes one file and is now closed. Go back to the chat.</p>`
})
