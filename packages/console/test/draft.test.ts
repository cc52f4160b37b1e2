import {
  type Draft,
  type DraftEvent,
  isSaved,
  openDraft,
  reduceDraft,
  savedPost,
  savesItself
} from "@carillon/console/compose/Draft"
import { emptyForm, type Form, fromPost } from "@carillon/console/compose/Form"
import type { CreatePost, Post } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"

const zone = "Europe/Paris"

const blank = {
  social_accounts: [],
  caption: "",
  media: [],
  platform_configurations: {},
  account_configurations: [],
  scheduled_at: null,
  use_queue: false,
  is_draft: false,
  processing_enabled: true,
  thread: null,
  thread_fallback: null
}

const postOf = (body: object, id: string, version: number): Post =>
  ({ ...blank, ...body, id, version: String(version) }) as unknown as Post

const writtenBy = (text: string, draft: Draft): DraftEvent => ({
  type: "written",
  form: { ...draft.form, accounts: [1], caption: text }
})

const opened = (form: Form = emptyForm, stored: Post | null = null) =>
  openDraft(
    {
      form: stored === null ? form : fromPost(stored, zone),
      stored: stored === null ? null : savedPost(stored, zone),
      restored: null,
      lostFiles: 0,
      nextTry: null,
      repairs: []
    },
    zone,
    "nonce"
  )

const run = (draft: Draft, ...events: ReadonlyArray<DraftEvent>) => events.reduce(reduceDraft, draft)

const at = new Date(0)
const written = { ...emptyForm, accounts: [1], caption: "Bells" }
const stored = postOf({ social_accounts: [1], caption: "Bells", is_draft: true }, "a", 1)
const save: DraftEvent = { type: "asked", intent: "save" }
const send: DraftEvent = { type: "asked", intent: "send" }
const offline: DraftEvent = { type: "failed", failure: { is: "offline" } }

describe("a draft", () => {
  it("repeats a create whose answer was lost with the same key", () => {
    const first = run(opened(written), save)
    const again = run(first, offline, save)
    expect(again.call!.request).toEqual(first.call!.request)
  })

  it("takes a new key when the text has changed since, and when its post was deleted", () => {
    const first = run(opened(written), save)
    const key = (draft: Draft) => draft.call!.request.do === "create" && draft.call!.request.key
    const changed = run(first, offline, writtenBy("Bells at six", first), save)
    expect(key(changed)).not.toBe(key(first))
    const gone = run(
      first,
      { type: "answered", post: stored, at },
      writtenBy("Bells at six", first),
      save,
      { type: "failed", failure: { is: "gone" } },
      { type: "written", form: written },
      save
    )
    expect(key(gone)).not.toBe(key(first))
  })

  it("is sent after the save that is under way, with the version of its answer", () => {
    const saving = run(opened(emptyForm, stored), writtenBy("Bells at six", opened(written)), save, send)
    expect(saving.call!.intent).toBe("save")
    const sending = run(saving, {
      type: "answered",
      post: postOf({ social_accounts: [1], caption: "Bells at six", is_draft: true }, "a", 2),
      at
    })
    expect(sending.call).toMatchObject({ intent: "send", isLast: true, request: { base: { version: "2" } } })
  })

  it("stores its changes before it is published at once", () => {
    const now = { ...written, caption: "Bells at six", when: { kind: "now" } } as const
    const sending = run(opened(emptyForm, stored), { type: "written", form: now }, send)
    expect(sending.call!.request).toMatchObject({ do: "update", changes: { caption: "Bells at six" } })
    const publishing = run(sending, {
      type: "answered",
      post: postOf({ social_accounts: [1], caption: "Bells at six", is_draft: true }, "a", 2),
      at
    })
    expect(publishing.call!.request).toMatchObject({ do: "publish", base: { version: "2" } })
    expect(run(publishing, { type: "answered", post: stored, at }).status.is).toBe("ended")
  })

  it("goes on by itself when only the service changed the post", () => {
    const saving = run(opened(emptyForm, stored), writtenBy("Mine", opened(written)), save)
    const theirs = { ...stored, version: "2" }
    const again = run(saving, { type: "failed", failure: { is: "conflict", theirs } })
    expect(again.call!.request).toMatchObject({ base: { version: "2" }, changes: { caption: "Mine" } })
  })

  it("asks which text holds when somebody else changed the post", () => {
    const saving = run(opened(emptyForm, stored), writtenBy("Mine", opened(written)), save)
    const theirs = { ...stored, caption: "Theirs", version: "2" }
    const conflict = run(saving, { type: "failed", failure: { is: "conflict", theirs } })
    expect(conflict.status).toMatchObject({ is: "conflict", intent: "save" })
    expect(savesItself(conflict)).toBe(false)
    expect(run(conflict, { type: "resolved", keeps: "theirs" }).form.caption).toBe("Theirs")
    const mine = run(conflict, { type: "resolved", keeps: "mine" }, save)
    expect(mine.call!.request).toMatchObject({ base: { version: "2" }, changes: { caption: "Mine" } })
  })

  it("asks first when it looks and finds that an app changed the post, or when it wants it out", () => {
    const waiting = { status: "waiting", wants: "scheduled" } as NonNullable<Post["approval"]>
    const draft = opened(emptyForm, { ...stored, approval: waiting } as Post)
    const seen = (changes: Partial<Post>) =>
      run(draft, { type: "seen", post: { ...stored, approval: waiting, version: "2", ...changes } as Post })
    expect(seen({ caption: "Theirs" }).status.is).toBe("conflict")
    expect(seen({ approval: { ...waiting, wants: "now" } as NonNullable<Post["approval"]> }).status.is).toBe(
      "conflict"
    )
    expect(seen({})).toMatchObject({ status: { is: "idle" }, stored: { version: "2" } })
  })

  it("becomes a post of its own when somebody deleted it, and is over when it was to be deleted", () => {
    const gone: DraftEvent = { type: "failed", failure: { is: "gone" } }
    const saving = run(opened(emptyForm, stored), writtenBy("Mine", opened(written)), save, gone)
    expect(saving).toMatchObject({ stored: null, status: { is: "gone" }, form: { caption: "Mine" } })
    expect(savesItself(saving)).toBe(true)
    const deleting = run(opened(emptyForm, stored), { type: "asked", intent: "delete" }, gone)
    expect(deleting.status.is).toBe("ended")
  })

  it("asks nothing of the service after the session has ended", () => {
    const out = run(opened(written), save, send, { type: "failed", failure: { is: "signedOut" } })
    expect(out).toMatchObject({ call: null, next: null, status: { is: "signedOut" }, form: written })
    expect(savesItself({ ...out, isEdited: true })).toBe(false)
  })
})

const Step = Schema.Literals([
  "write",
  "save",
  "send",
  "answer",
  "lose",
  "refuse",
  "signOut",
  "delete elsewhere",
  "change elsewhere",
  "keep mine",
  "keep theirs"
])

/** The service as far as a draft sees it: one post, its version, and the keys of creates. */
interface World {
  readonly draft: Draft
  readonly post: Post | null
  readonly versions: number
  readonly byKey: ReadonlyMap<string, Post>
  readonly texts: number
  readonly latest: string
}

const serve = ({ byKey, draft, post, versions }: World) => {
  const { request } = draft.call!
  if (request.do === "create") {
    const known = byKey.get(request.key)
    const made = known ?? postOf(request.body, `post-${versions}`, versions + 1)
    return { made, failure: null, byKey: new Map(byKey).set(request.key, made) }
  }
  if (post === null || post.id !== request.base.id)
    return { made: null, failure: { is: "gone" } as const, byKey }
  if (post.version !== request.base.version)
    return { made: null, failure: { is: "conflict", theirs: post } as const, byKey }
  const changes = request.do === "update" ? request.changes : {}
  return {
    made: postOf({ ...post, ...(changes as CreatePost) }, post.id, versions + 1),
    failure: null,
    byKey
  }
}

const step = (world: World, what: typeof Step.Type): World => {
  const { draft, post, texts, versions } = world
  const tell = (event: DraftEvent): World => ({ ...world, draft: reduceDraft(draft, event) })
  switch (what) {
    case "write": {
      if (draft.status.is === "conflict" || draft.status.is === "ended") return world
      const text = `Text ${texts}`
      return { ...tell(writtenBy(text, draft)), texts: texts + 1, latest: text }
    }
    case "save":
    case "send":
      return draft.status.is === "conflict" || draft.form.accounts.length === 0
        ? world
        : tell({ type: "asked", intent: what })
    case "answer":
    case "lose": {
      if (draft.call === null) return world
      const { byKey, failure, made } = serve(world)
      const next = { ...world, byKey, post: made ?? post, versions: versions + 1 }
      const event: DraftEvent =
        what === "lose"
          ? offline
          : failure === null
            ? { type: "answered", post: made, at }
            : { type: "failed", failure }
      return { ...next, draft: reduceDraft(draft, event) }
    }
    case "refuse":
      return tell({ type: "failed", failure: { is: "refused", reason: "No." } })
    case "signOut":
      return tell({ type: "failed", failure: { is: "signedOut" } })
    case "delete elsewhere":
      return { ...world, post: null }
    case "change elsewhere":
      return post === null
        ? world
        : {
            ...world,
            post: { ...post, caption: "Theirs", version: String(versions + 1) },
            versions: versions + 1
          }
    case "keep mine":
      return tell({ type: "resolved", keeps: "mine" })
    case "keep theirs": {
      const next = tell({ type: "resolved", keeps: "theirs" })
      return draft.status.is === "conflict" ? { ...next, latest: draft.status.theirs.caption ?? "" } : next
    }
  }
}

const empty: World = {
  draft: opened(),
  post: null,
  versions: 0,
  byKey: new Map(),
  texts: 0,
  latest: ""
}

describe("in whatever order things happen", () => {
  const walk = (steps: ReadonlyArray<typeof Step.Type>) => {
    const worlds = [empty]
    for (const what of steps) worlds.push(step(worlds.at(-1)!, what))
    return worlds
  }

  it.prop("what was written last stays in the form", [Schema.Array(Step)], ([steps]) => {
    for (const { draft, latest } of walk(steps)) expect(draft.form.caption).toBe(latest)
  })

  it.prop("a call under way is never replaced before its answer", [Schema.Array(Step)], ([steps]) => {
    const worlds = walk(steps)
    worlds.slice(1).forEach(({ draft }, index) => {
      const { call } = worlds[index]!.draft
      const isAnswered = !["write", "save", "send", "delete elsewhere", "change elsewhere"].includes(
        steps[index]!
      )
      if (call !== null && !isAnswered) expect(draft.call).toBe(call)
    })
  })

  it.prop("a change names the version of the last answer", [Schema.Array(Step)], ([steps]) => {
    for (const { draft } of walk(steps)) {
      const request = draft.call?.request
      if (request !== undefined && request.do !== "create") expect(request.base).toBe(draft.stored)
    }
  })

  it.prop(
    "a lost create is repeated with its key, so that one text makes one post",
    [Schema.Array(Step)],
    ([steps]) => {
      const lost = walk([...steps, "lose"]).at(-1)!
      if (lost.draft.stored !== null || lost.draft.attempt.body === "") return
      const again = reduceDraft({ ...lost.draft, call: null, next: null }, save)
      const request = again.call?.request
      if (request?.do === "create" && JSON.stringify(request.body) === lost.draft.attempt.body)
        expect(request.key).toBe(`nonce-${lost.draft.attempt.number}`)
    }
  )

  it.prop(
    "saves and answers without more changes end in a saved or a sent post",
    [Schema.Array(Step)],
    ([steps]) => {
      const before = walk(steps).at(-1)!
      if (!savesItself(before.draft)) return
      const after = [
        "answer",
        "answer",
        "answer",
        "save",
        "answer",
        "keep mine",
        "save",
        "answer",
        "save",
        "answer"
      ] as const
      const { draft } = after.reduce<World>(step, before)
      expect(draft.status.is === "ended" || isSaved(draft)).toBe(true)
    }
  )
})
