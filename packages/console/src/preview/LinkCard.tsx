import { Icon } from "../ui/Icon.tsx"

/** A link below the text of a post. */
export const LinkCard = ({ children }: { readonly children: string }) => (
  <span className="inline-flex items-center gap-2 self-start rounded-control border border-line px-3 py-2 text-xs text-soft">
    <Icon name="link" />
    {children}
  </span>
)
