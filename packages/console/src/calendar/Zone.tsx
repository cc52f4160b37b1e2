import { words } from "../post/en.ts"
import { placeOf } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"

/** The zone of all times of a page. */
export const Zone = ({ zone }: { readonly zone: string }) => (
  <span className="ms-auto inline-flex flex-none items-center gap-1 ps-2 text-sm text-soft" title={zone}>
    <Icon name="globe" /> {words.zone(placeOf(zone))}
  </span>
)
