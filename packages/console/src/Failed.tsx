import { words } from "./en.ts"
import { Button } from "./ui/Button.tsx"
import { EmptyState } from "./ui/EmptyState.tsx"
import { words as shared } from "./ui/en.ts"
import { Room } from "./ui/Room.tsx"

/** A room whose file is still missing after the router has reloaded the page once, or that threw. */
export const Failed = () => (
  <Room>
    <EmptyState title={words.failed.title} text={words.failed.text}>
      <Button look="main" onPress={() => location.reload()}>
        {shared.reload}
      </Button>
    </EmptyState>
  </Room>
)
