import { createRoot } from "react-dom/client"
import { I18nProvider } from "react-aria-components"
import { HostApp } from "./HostApp.tsx"
import "../styles/host.css"
import "../styles/oldNames.css"
import "../styles/base.css"
import "../styles/controls.css"

createRoot(document.getElementById("app")!).render(
  <I18nProvider locale="en-US">
    <HostApp />
  </I18nProvider>
)
