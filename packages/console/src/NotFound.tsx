import { Link } from "@tanstack/react-router"
import { words } from "./en.ts"
import { buttonClass } from "./ui/Button.tsx"
import { EmptyState } from "./ui/EmptyState.tsx"
import { Room } from "./ui/Room.tsx"

/** An address that no route has. */
export const NotFound = () => (
  <Room>
    <EmptyState title={words.notFound.title} text={words.notFound.text}>
      <Link to="/" className={buttonClass("main")}>
        {words.notFound.go}
      </Link>
    </EmptyState>
  </Room>
)
