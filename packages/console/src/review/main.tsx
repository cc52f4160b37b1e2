import { createRoot } from "react-dom/client"
import { I18nProvider } from "react-aria-components"
import "../styles/font.css"
import "../styles/review.css"
import "../styles/oldNames.css"
import "../styles/base.css"
import "../styles/controls.css"
import { ReviewPage } from "./ReviewPage.tsx"

createRoot(document.getElementById("review")!).render(
  <I18nProvider locale="en-US">
    <ReviewPage />
  </I18nProvider>
)
