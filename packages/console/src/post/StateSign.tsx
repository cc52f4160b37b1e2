import { Icon } from "../ui/Icon.tsx"
import { type PostState, signs } from "./PostState.ts"
import "./StateSign.css"

export const StateSign = ({ state }: { readonly state: PostState }) => {
  const icon = signs[state]
  return (
    <span className={`sign ${state}`} aria-hidden="true">
      {icon && <Icon name={icon} />}
    </span>
  )
}
