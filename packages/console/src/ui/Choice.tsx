import { Suspense } from "react"
import type { ChoiceProps } from "./ChoiceMenu.tsx"
import { Icon } from "./Icon.tsx"
import { later } from "./later.ts"

const ChoiceMenu = later(() => import("./ChoiceMenu.tsx"), "ChoiceMenu")

/** One of several, or all of them. Its menu comes after the first paint. */
export const Choice = (props: ChoiceProps) => (
  <Suspense
    fallback={
      <span className="button">
        {props.options.find(({ id }) => id === props.chosen)?.name ?? props.all}
        <Icon name="down" />
      </span>
    }
  >
    <ChoiceMenu {...props} />
  </Suspense>
)
