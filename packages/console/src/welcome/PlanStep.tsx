import { Link } from "@tanstack/react-router"
import type { Ref } from "react"
import { workspace } from "../data/api.ts"
import { usePostsById } from "../data/posts.ts"
import { StateSign } from "../post/StateSign.tsx"
import { wallClock } from "../time/zone.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import type { FirstPost } from "./stepOf.ts"

interface Props {
  readonly first: FirstPost
  /** The link to the post, shown until it is out. */
  readonly link: Ref<HTMLAnchorElement>
  readonly onGoOn: () => void
}

/** How far the first post is. */
export const PlanStep = ({ first, link, onGoOn }: Props) => {
  const isOut = first.state === "out"
  const [whole] = usePostsById(isOut ? [first.post.id] : [])
  if (first.state === "none") return <p>{words.plan.text}</p>
  const { caption, id, scheduled_at } = first.post
  const text = caption?.split("\n")[0] || words.noText
  const clock = scheduled_at === null ? null : wallClock(new Date(scheduled_at), workspace.timezone)
  const said = {
    draft: words.plan.draft(text),
    planned: words.plan.planned(text, clock?.time ?? ""),
    going: words.plan.going(text),
    failed: words.plan.failed(text),
    out: words.plan.out(text)
  }[first.state]
  const seen = whole?.results.find(({ platform_data }) => platform_data?.url)?.platform_data?.url
  return (
    <>
      <p role="status">
        {first.state === "going" && <StateSign state="going" />} {said}
      </p>
      <div className="flex flex-wrap gap-2">
        {isOut ? (
          <>
            {seen && (
              <a className={buttonClass()} href={seen} target="_blank" rel="noreferrer">
                {words.plan.see}
                <Icon name="link" />
              </a>
            )}
            <Button look="main" onPress={onGoOn}>
              {words.plan.calendar}
            </Button>
          </>
        ) : (
          <Link ref={link} to="/posts/$id" params={{ id }} className={buttonClass("main")}>
            {words.plan.open}
          </Link>
        )}
      </div>
    </>
  )
}
