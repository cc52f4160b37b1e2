import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Remark } from "../ui/Remark.tsx"
import { Stack } from "../ui/Stack.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { Refused, type ReviewedPost, type Said, sendAnswer } from "./reviewedPost.ts"

interface Props {
  readonly post: ReviewedPost
  readonly onSent: (post: ReviewedPost) => void
  /** The link does not work any more. */
  readonly onFailed: (error: unknown) => void
  /** The post is another than the one that was answered about. */
  readonly onStale: () => Promise<void>
}

const mostOfName = 80
const mostOfComment = 2000

const refusals: Readonly<Record<string, string>> = {
  review_limit_reached: words.full,
  rate_limited: words.tooMany
}

const ways = [
  ["yes", "main", words.yes],
  ["no", undefined, words.no],
  [null, "quiet", words.only]
] as const

/** Yes, no or a comment, by name. */
export const AnswerForm = ({ onFailed, onSent, onStale, post }: Props) => {
  const [name, setName] = useState("")
  const [comment, setComment] = useState("")
  const [asked, setAsked] = useState<"answer" | "comment">()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<string>()
  const [failed, setFailed] = useState<string>()

  const send = async (answer: Said["answer"]) => {
    setSent(undefined)
    setFailed(undefined)
    setAsked(answer === null ? "comment" : "answer")
    const said = comment.trim()
    if (name.trim() === "" || said.length > mostOfComment || (answer === null && said === "")) return
    setBusy(true)
    try {
      const after = await sendAnswer({
        name: name.trim(),
        answer,
        comment: said === "" ? null : said,
        version: post.version
      })
      const isApproved = answer === "yes" && post.approval === "waiting" && after.approval === "approved"
      setSent(isApproved ? words.approved : words.sent[answer ?? "comment"])
      setComment("")
      setAsked(undefined)
      onSent(after)
    } catch (error) {
      if (error instanceof Refused && error.code === "review_link_invalid") onFailed(error)
      else if (error instanceof Refused && ["stale_version", "review_closed"].includes(error.code))
        await onStale()
      else setFailed((error instanceof Refused && refusals[error.code]) || words.notSent)
    } finally {
      setBusy(false)
    }
  }

  const tooLong = comment.trim().length > mostOfComment
  return (
    <Card title={words.answer}>
      <Stack>
        <p className="text-sm text-soft">
          {post.approval === "approved"
            ? words.isApproved
            : post.yes_approves
              ? words.yesApproves
              : words.yesTells(post.workspace)}
        </p>
        <TextField
          label={words.name}
          value={name}
          onChange={(value) => setName(value.slice(0, mostOfName))}
          autoComplete="name"
          required
          problem={asked !== undefined && name.trim() === "" ? words.nameMissing : undefined}
        />
        <TextField
          label={words.comment}
          help={words.commentHelp}
          value={comment}
          onChange={setComment}
          lines={3}
          problem={
            tooLong
              ? words.commentLong(mostOfComment)
              : asked === "comment" && comment.trim() === ""
                ? words.commentMissing
                : undefined
          }
        />
        <div className="flex flex-col gap-2 control:min-h-touch">
          {ways.map(([answer, look, text]) => (
            <Button key={text} {...(look && { look })} isDisabled={busy} onPress={() => void send(answer)}>
              {text}
            </Button>
          ))}
        </div>
        {failed !== undefined && (
          <Remark tone="bad" icon="warning" role="alert">
            {failed}
          </Remark>
        )}
        <div role="status">
          {sent !== undefined && (
            <Remark tone="good" icon="check">
              {sent}
            </Remark>
          )}
        </div>
      </Stack>
    </Card>
  )
}
