import { Icon } from "../ui/Icon.tsx"
import { signs } from "./signs.ts"
import { stateColors } from "./stateColors.ts"

interface Props {
  readonly state: keyof typeof signs
}

/** The state of a post, or of its result on one account. It is decoration: words beside it say it. */
export const StateSign = ({ state }: Props) => (
  <span
    className={`inline-grid flex-none ${stateColors[state]} ${state === "going" ? rings : ""}`}
    aria-hidden="true"
  >
    <Icon name={signs[state]} />
  </span>
)

const rings = "origin-top motion-safe:animate-ring"
