import { Link } from "@tanstack/react-router"
import { words } from "./en.ts"
import { PageName } from "./ui/PageName.tsx"
import { EmptyState } from "./ui/EmptyState.tsx"

/** An address that no route has. */
export const NotFound = () => (
  <>
    <div className="bar">
      <h1>
        <PageName />
      </h1>
    </div>
    <EmptyState title={words.notFound.title} text={words.notFound.text}>
      <Link to="/" className="button main">
        {words.notFound.go}
      </Link>
    </EmptyState>
  </>
)
