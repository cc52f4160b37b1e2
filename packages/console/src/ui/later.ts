import { type ComponentType, lazy } from "react"
import { words } from "./en.ts"
import { toastQueue } from "./toast.ts"

let isAsked = false

const ask = () => {
  if (isAsked) return
  isAsked = true
  const action = { label: words.reload, act: () => location.reload() }
  toastQueue.add({ icon: "warning", text: words.partMissing, action })
}

/** Once, when there is a connection: without one there is nothing to reload. */
export const askToReload = () => {
  if (navigator.onLine) ask()
  else window.addEventListener("online", ask, { once: true })
}

/**
 * A component whose file loads when it is first shown. An update removes the files of the page that was open before: what stands
 * in its place stays, and the person chooses when to reload, because a page that reloads by itself loses what uploads.
 */
export const later = <Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Record<Name, Part>>,
  name: Name
) => {
  const loaded = () =>
    load().then(
      (file) => ({ default: file[name] }),
      () => {
        askToReload()
        return new Promise<never>(() => {})
      }
    )
  return Object.assign(lazy(loaded), { preload: () => void load().catch(() => {}) })
}
