import { type ReactNode, type Ref, useId } from "react"

interface Props {
  readonly title?: string
  /** Where a card shows no title. */
  readonly label?: string
  /** On the line of the title. */
  readonly beside?: ReactNode
  /** The heading, to move the focus to. */
  readonly heading?: Ref<HTMLHeadingElement>
  readonly children: ReactNode
}

/** A part of a room. What is in it reaches its edges. */
export const Card = ({ beside, children, heading, label, title }: Props) => {
  const id = useId()
  return (
    <section
      className="overflow-hidden rounded-card border border-line bg-card max-sm:rounded-none max-sm:border-x-0"
      aria-label={label}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <header className="flex items-center gap-2 px-4 pt-3 pb-2">
          <h2
            id={id}
            ref={heading}
            tabIndex={heading === undefined ? undefined : -1}
            className="text-base outline-none"
          >
            {title}
          </h2>
          {beside}
        </header>
      )}
      {children}
    </section>
  )
}
