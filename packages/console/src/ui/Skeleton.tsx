import { words } from "./en.ts"

/** Grey rows in the place of content that is loading. They show after a moment. */
export const Skeleton = ({ rows = 6, height = 56 }: { readonly rows?: number; readonly height?: number }) => (
  <div className="skeleton" aria-busy="true">
    <span className="unseen">{words.loading}</span>
    {Array.from({ length: rows }, (_, index) => (
      <span key={index} className="row" style={{ blockSize: height }} />
    ))}
  </div>
)
