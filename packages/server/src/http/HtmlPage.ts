import { bell, type Markup, markup, pageTheme, rawMarkup } from "@carillon/domain"
import { DateTime } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { type SitePage, sitePages } from "./SitePages.ts"

const frameStyle = `${pageTheme}
body{min-height:100vh;padding:0 1rem 3rem}
body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;width:min(30rem,100%);margin:0 auto;padding:1.1rem .25rem}
body>header.wide{width:min(46rem,100%)}body>header.full{width:auto}
header .mark{display:flex;gap:.5rem;align-items:center;margin-right:auto;font-weight:650;letter-spacing:.01em;color:var(--ink);text-decoration:none}
header svg{width:1.35rem;height:1.35rem;color:var(--brand)}
body>header a{padding:.35rem 0;color:var(--brand);text-underline-offset:.18em}
`

const style = `${frameStyle}
main{width:min(30rem,100%);margin:min(3vh,1.5rem) auto 0;padding:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:14px}
main.wide{width:min(46rem,100%)}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1.05rem;line-height:1.35;margin:1.75rem 0 .5rem}
p{margin:.5rem 0}.soft,small{color:var(--soft);font-size:.92rem}.bad h1{color:var(--bad)}
a{color:var(--brand);text-underline-offset:.18em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:1rem 0;padding:.9rem 1rem;background:var(--tint);border-radius:10px}
dt{color:var(--soft)}dd{margin:0;font-weight:600}
ul.rows{list-style:none;margin:1rem 0;padding:0;border-top:1px solid var(--line)}
ul.rows>li{padding:.9rem .2rem}ul.rows>li:target{background:var(--tint)}ul.rows>li+li{border-top:1px solid var(--line)}
fieldset{border:0;padding:0;margin:1.4rem 0;min-width:0}legend{padding:0;margin-bottom:.35rem;font-weight:650}
label{display:flex;gap:.7rem;align-items:flex-start;padding:.6rem .2rem;border-bottom:1px solid var(--line)}
label small{display:block}
label.inset,details.inset{margin-left:1.9rem}details .inset{margin-left:0}details.inset .inset:last-child{border:0}
label.field{display:block;border:0;padding:.45rem 0;font-weight:600}
label.field span{display:block;font-weight:400;color:var(--soft);font-size:.92rem}
input[type=checkbox],input[type=radio]{flex:none;width:1.2rem;height:1.2rem;margin:.16rem 0 0;accent-color:var(--brand)}
input[type=text],input[type=password],input[type=datetime-local],textarea,select{font:inherit;font-weight:400;width:100%;margin-top:.3rem;padding:.6rem .7rem;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:8px}
button{display:inline-block;font:inherit;font-weight:650;padding:.65rem 1.2rem;border:1px solid var(--brand);border-radius:8px;background:var(--brand);color:var(--card);cursor:pointer;text-decoration:none;text-align:center}
textarea{resize:vertical;line-height:1.45}
button.quiet{background:none;color:var(--brand)}button.stop{background:none;border-color:var(--bad);color:var(--bad)}
.actions{display:flex;flex-wrap:wrap;gap:.7rem;margin-top:1.4rem}
.actions.even>*{flex:1 1 9rem}
.actions.stay{position:sticky;bottom:0;margin:1.4rem -1.75rem -1.75rem;padding:1rem 1.75rem;background:var(--card);border-top:1px solid var(--line);border-radius:0 0 14px 14px}
html:has(.stay){scroll-padding-bottom:6rem}
.note{margin:1rem 0;padding:.8rem 1rem;border-left:4px solid var(--brand);background:var(--tint);border-radius:4px}
.note.bad{border-color:var(--bad);background:var(--badtint)}.note p:first-child{margin-top:0}.note p:last-child{margin-bottom:0}
pre{margin:.6rem 0;padding:.75rem .9rem;background:var(--tint);border-radius:8px;white-space:pre-wrap;font:.9rem/1.5 ui-monospace,monospace}
code{font:.92em ui-monospace,monospace}
[hidden]{display:none}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
.asked{margin-top:1.75rem;padding-top:1rem;border-top:3px solid var(--line)}
.caption{white-space:pre-wrap;margin:.5rem 0;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--line)}
ul.media{display:flex;flex-wrap:wrap;gap:.6rem;margin:.5rem 0;padding:0;list-style:none}
ul.media img,ul.media video{display:block;max-width:100%;height:9rem;border-radius:8px;background:var(--tint)}
.note ul{margin:.4rem 0;padding-left:1.2rem}
details{border-bottom:1px solid var(--line);padding:.6rem .2rem}summary{cursor:pointer;font-weight:600}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
@media (max-width:26rem){main{padding:1.25rem}.actions.stay{margin:1.4rem -1.25rem -1.25rem;padding:.8rem 1.25rem}header .mark{flex:1 1 100%}dl{grid-template-columns:1fr;gap:0}dd+dt{margin-top:.5rem}.actions>*{flex:1 1 100%}}
`

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const styleHash = hashOf(style)

export interface Page {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  readonly bad?: boolean
  readonly wide?: boolean
  /** A program takes the whole window below the header, with headings and styles of its own. */
  readonly full?: boolean
  /** It shows pictures and videos of the library. */
  readonly media?: boolean
  /** `sends`: it may send to this service. Without JavaScript the page must still serve, or say that it cannot. */
  readonly script?: { readonly source: string; readonly sends?: true }
  /** A member is signed in: the header has the menu. */
  readonly signedIn?: boolean
  /** An address that the form's answer may redirect to; browsers apply `form-action` to redirects too. */
  readonly leadsTo?: string | null
  /** The same, and its site may redirect to other hosts in turn. */
  readonly leadsOnFrom?: string
}

const links = Object.values<SitePage>(sitePages).map(({ path, menu }) =>
  menu === undefined ? null : markup`<a href="${path}">${menu}</a>`
)

/** The menu needs the room, and the page below it is as wide. */
const widthOf = ({ full, wide, signedIn }: Page) =>
  full === true ? "full" : wide === true || signedIn === true ? "wide" : ""

/** Without it, browsers ask for an icon where the page's policy would let them. */
const noIcon = markup`<link rel="icon" href="data:,">`

/** `2026-11-22 08:00 UTC` */
export const timeInUtc = (at: DateTime.Utc) =>
  markup`<time datetime="${DateTime.formatIso(at)}">${DateTime.formatIso(at).slice(0, 16).replace("T", " ")} UTC</time>`

/** Says above a form why it was not carried out; screen readers read it first. */
export const alerts = (lines: ReadonlyArray<string>) =>
  lines.length === 0
    ? null
    : markup`<div class="note bad" role="alert">${lines.map((line) => markup`<p>${line}</p>`)}</div>`

const policyOf = ({ leadsOnFrom, leadsTo, media, script }: Page) =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script.source)}`]),
    ...(script?.sends === true ? ["connect-src 'self'"] : []),
    ...(media === true ? ["img-src 'self'", "media-src 'self'"] : []),
    `form-action 'self'${leadsTo == null ? "" : ` ${formTarget(leadsTo)}`}${leadsOnFrom === undefined ? "" : ` ${new URL(leadsOnFrom).protocol}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

/** A page for a person in a browser: one column, nothing from elsewhere. */
export const htmlDocument = (page: Page) => ({
  html: markup`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${page.title} · Carillon</title><style>${rawMarkup(page.full === true ? frameStyle : style)}</style>${page.full === true ? noIcon : null}
<header class="${widthOf(page)}"><span class="mark">${bell}Carillon</span>${page.signedIn === true ? links : null}</header>
${page.full === true ? page.body : markup`<main class="${page.bad === true ? "bad " : ""}${widthOf(page)}"><h1>${page.title}</h1>${page.body}</main>`}${page.script === undefined ? null : markup`<script>${rawMarkup(page.script.source)}</script>`}</html>`
    .markup,
  headers: {
    "cache-control": "no-store",
    "content-security-policy": policyOf(page),
    // The address holds a code or a ticket.
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY"
  }
})

/** Whether a person opens the address in a browser; programs get JSON. */
export const isOpenedByPerson = ({ headers, method }: HttpServerRequest.HttpServerRequest) =>
  method === "GET" && headers["accept"]?.includes("text/html") === true

export const htmlPage = (page: Page) => {
  const { html, headers } = htmlDocument(page)
  return HttpServerResponse.text(html, {
    status: page.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers
  })
}

/** A policy cannot spell an IPv6 address, and an app's own scheme has no host: the protocol alone allows both. */
const formTarget = (address: string) => {
  const { protocol, origin, hostname } = new URL(address)
  return /^https?:$/.test(protocol) && !hostname.startsWith("[") ? origin : protocol
}
