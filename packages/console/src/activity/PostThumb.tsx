import type { CalendarPost } from "@carillon/sdk"

export const PostThumb = ({ post: { thumbnail_url } }: { readonly post: CalendarPost }) => (
  <span className="thumb" aria-hidden="true">
    {thumbnail_url !== undefined && <img src={thumbnail_url} alt="" loading="lazy" />}
  </span>
)
