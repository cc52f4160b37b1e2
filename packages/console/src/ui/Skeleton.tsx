import { words } from "./en.ts"

/** Grey rows in the place of content that is loading. They show after a moment. */
export const Skeleton = ({ rows = 6, height = 56 }: { readonly rows?: number; readonly height?: number }) => (
  <div className="flex animate-appear flex-col gap-2" aria-busy="true">
    <span className="unseen">{words.loading}</span>
    {Array.from({ length: rows }, (_, index) => (
      <span key={index} className="rounded-control bg-sunk" style={{ blockSize: height }} />
    ))}
  </div>
)
