import { Link } from "@tanstack/react-router"
import { buttonClass } from "../ui/Button.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { PageName } from "../ui/PageName.tsx"
import { resultWords } from "./resultWords.ts"

const { back, text, title } = resultWords.gone

/** What stands at the address of a post that is not there. */
export const PostGone = () => (
  <>
    <h1 className="unseen">
      <PageName />
    </h1>
    <EmptyState title={title} text={text}>
      <Link className={buttonClass()} to="/">
        {back}
      </Link>
    </EmptyState>
  </>
)
