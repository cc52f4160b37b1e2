import "./polyfills.ts"
import "./styles/font.css"
import "./styles/console.css"
import "./styles/oldNames.css"
import "./styles/base.css"
import "./styles/controls.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { I18nProvider } from "react-aria-components"
import { queries } from "./data/api.ts"
import { showTheme } from "./data/preferences.ts"
import { router } from "./routes.tsx"
import { whenIdle } from "./ui/whenIdle.ts"

showTheme()

createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <I18nProvider locale="en-US">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>
)

/** After the first paint. A part that is not there now may be in a minute. */
const follow = async () => {
  try {
    const { followEvents } = await import("./data/followEvents.ts")
    followEvents()
  } catch {
    setTimeout(follow, 60_000)
  }
}
void whenIdle(follow)
