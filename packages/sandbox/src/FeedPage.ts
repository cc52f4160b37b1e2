import { type Markup, markup, pageTheme, rawMarkup } from "@carillon/domain"
import { DateTime, type Schema } from "effect"
import { createHash } from "node:crypto"
import { avatarPath, displayName } from "./Avatar.ts"
import type { Publication, PublishedMedia } from "./Ledger.ts"

export interface FeedPage {
  readonly publications: ReadonlyArray<Publication>
  readonly total: number
  /** Shows only this account's posts, unless it is null. */
  readonly account: string | null
  readonly url: string
}

const style = `${pageTheme}
header,main{max-width:38rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem;padding-bottom:.75rem}
h1{font-size:1.35rem;margin:0;letter-spacing:-.01em}
header p{margin:.15rem 0 0;color:var(--soft);font-size:.9rem}
a{color:inherit;text-decoration:none}a:hover{text-decoration:underline}
article,.empty{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1rem;margin:0 0 1rem}
.by{display:flex;gap:.7rem;align-items:center}
.by img{width:2.6rem;height:2.6rem;border-radius:50%}
.by strong{display:block;line-height:1.2}
.by small,.when{color:var(--soft);font-size:.85rem}
.by div{min-width:0;overflow-wrap:anywhere}
.when{margin-left:auto;white-space:nowrap;font-variant-numeric:tabular-nums}
h2{font-size:1.05rem;margin:.8rem 0 0}
.text{margin:.7rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}
.media{display:grid;gap:.5rem;margin-top:.8rem}
.media.many{grid-template-columns:1fr 1fr}
.media.many img,.media.many video{aspect-ratio:1}
figure{margin:0;min-width:0}
figure img,figure video{display:block;width:100%;max-height:32rem;object-fit:cover;border-radius:10px;background:var(--line)}
figcaption{color:var(--soft);font-size:.85rem;margin-top:.3rem;overflow-wrap:anywhere}
figcaption b{font-size:.7rem;border:1px solid var(--line);border-radius:4px;padding:0 .25rem;margin-right:.3rem}
dl{margin:.8rem 0 0;color:var(--soft);font-size:.82rem}
dl div{display:flex;gap:.5rem}
dt{white-space:nowrap}dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:.7rem;overflow-x:auto;font-size:.82rem}
.empty h2{margin-top:0}
.more{color:var(--soft);text-align:center;padding-bottom:1.5rem}
.more a{color:var(--brand)}`

// Replaces the feed only when there is something new, so that a video goes on playing.
const script = `
setInterval(async () => {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => null)
  if (!answer || !answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main")
  const main = document.querySelector("main")
  if (next && next.dataset.version !== main.dataset.version) main.replaceWith(document.adoptNode(next))
}, 2000)`

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Only the page's own scripts run, whatever a post says. */
export const feedPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

export const feedPage = ({ publications, total, account, url }: FeedPage): string => {
  const version = `${total}.${publications[0]?.id ?? ""}`
  const hidden = total - publications.length
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>The test network</title>
<style>${rawMarkup(style)}</style>
</head>
<body>
<header>
<h1><a href="/">The test network</a></h1>
<p>${account === null ? "What has been published here, newest first." : markup`Only <b>@${account}</b>. <a href="/">Show everybody</a>`}</p>
</header>
<main data-version="${version}">
${publications.length === 0 ? empty(url) : publications.map(article)}
${hidden === 0 ? null : markup`<p class="more">${hidden} older: <a href="/feed.json?limit=${total}">all as JSON</a></p>`}
</main>
<script>${rawMarkup(script)}</script>
</body>
</html>
`.markup
}

const article = ({
  id,
  account,
  title,
  text,
  media,
  published_at,
  details = {}
}: Publication): Markup => markup`
<article id="post-${id}">
<div class="by">
<img src="${avatarPath(account)}" alt="" width="42" height="42">
<div><a href="/?account=${encodeURIComponent(account)}"><strong>${displayName(account)}</strong></a><small>@${account}</small></div>
<a class="when" href="/posts/${id}"><time datetime="${published_at}" title="${published_at}">${readableTime(published_at)}</time></a>
</div>
${title === null || title === "" ? null : markup`<h2 dir="auto">${title}</h2>`}
${text === "" ? null : markup`<p class="text" dir="auto">${text}</p>`}
${media.length === 0 ? null : markup`<div class="media${media.length > 1 ? " many" : ""}">${media.map(figure)}</div>`}
${Object.keys(details).length === 0 ? null : markup`<dl>${Object.entries(details).map(detail)}</dl>`}
</article>`

const detail = ([name, value]: [string, Schema.Json]): Markup =>
  markup`<div><dt>${name}</dt><dd dir="auto">${typeof value === "string" ? value : JSON.stringify(value)}</dd></div>`

const figure = ({ id, content_type, alt_text }: PublishedMedia): Markup => {
  const alt = alt_text ?? ""
  const shown = content_type.startsWith("video/")
    ? markup`<video src="/media/${id}" controls preload="metadata" playsinline aria-label="${alt}"></video>`
    : content_type.startsWith("image/")
      ? markup`<img src="/media/${id}" alt="${alt}" loading="lazy">`
      : markup`<a href="/media/${id}">${content_type}</a>`
  return markup`<figure>${shown}${alt === "" ? null : markup`<figcaption dir="auto"><b>ALT</b>${alt}</figcaption>`}</figure>`
}

/** The package has JavaScript, and its command line is a package of its own. */
const commandLine = import.meta.filename.endsWith(".ts") ? "npm run -s carillon --" : "carillon"

const empty = (url: string): Markup => markup`
<div class="empty">
<h2>Nothing has been published yet</h2>
<p>Send something through Carillon, and it appears here by itself:</p>
<pre>${commandLine} post "Hello" --to sandbox</pre>
<p>Or straight to this network, as any username with the password <code>sandbox</code>:</p>
<pre>TOKEN=$(curl -s ${url}/api/session --json '{"username":"demo","password":"sandbox"}' \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/api/posts --json '{"text":"Hello"}' -H "Authorization: Bearer $TOKEN"</pre>
</div>`

const readableTime = (iso: string): string => {
  const day = DateTime.format(DateTime.makeUnsafe(iso), {
    dateStyle: "medium",
    locale: "en-GB",
    timeZone: "UTC"
  })
  return `${day}, ${iso.slice(11, 19)} UTC`
}
