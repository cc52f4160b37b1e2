import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

export const escapeHtml = (text: string) =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;")

const style = `
:root{color-scheme:light dark;--ink:#1c1c28;--soft:#5a5a6e;--paper:#fbfaf8;--card:#fff;--line:#e3e0da;--brand:#7a4b12;--bad:#a3231d}
@media (prefers-color-scheme:dark){:root{--ink:#ecebf2;--soft:#a9a8ba;--paper:#15151c;--card:#1f1f29;--line:#34343f;--brand:#e2a04f;--bad:#ff8b82}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{width:min(30rem,100vw - 2rem);margin:2rem 0;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{font-size:1.35rem;line-height:1.3;margin:0 0 .75rem}
p{margin:.5rem 0}.soft{color:var(--soft);font-size:.92rem}.bad h1{color:var(--bad)}
fieldset{border:0;padding:0;margin:1rem 0}legend{padding:0;margin-bottom:.5rem}
label{display:flex;gap:.6rem;align-items:center;padding:.55rem .2rem;border-bottom:1px solid var(--line)}
input[type=checkbox]{width:1.15rem;height:1.15rem;accent-color:var(--brand)}
button{font:inherit;font-weight:600;padding:.65rem 1.1rem;border:0;border-radius:8px;background:var(--brand);color:var(--card);cursor:pointer}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
`

const styleHash = createHash("sha256").update(style).digest("base64")

/**
 * A page for a person in a browser: one column, no script, nothing from elsewhere. `body` is HTML whose values were
 * escaped by its author.
 */
export const htmlPage = (page: {
  readonly title: string
  readonly body: string
  readonly status?: number
  readonly bad?: boolean
  /** Where a form's answer may redirect to besides this service: browsers hold redirects to the same rule. */
  readonly leadsTo?: string | null
}) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
      `<title>${escapeHtml(page.title)} · Carillon</title><style>${style}</style>` +
      `<main${page.bad === true ? ' class="bad"' : ""}><h1>${escapeHtml(page.title)}</h1>${page.body}</main></html>`,
    {
      status: page.status ?? 200,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${page.leadsTo == null ? "" : ` ${new URL(page.leadsTo).origin}`}; frame-ancestors 'none'; base-uri 'none'`,
        // The address holds a code or a ticket.
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY"
      }
    }
  )
