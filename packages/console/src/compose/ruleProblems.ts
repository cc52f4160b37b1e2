import { type PlatformId, preflight, type PreflightAccount, type PreflightMedia } from "@carillon/domain"
import type { Instance, Media, ProblemItem } from "@carillon/sdk"
import type { Account } from "../data/accounts.ts"
import type { Form } from "./Form.ts"
import { contentOf } from "./resolvedFor.ts"

/** The problems that the domain's rules find. */
export const ruleProblems = (
  form: Form,
  accounts: ReadonlyArray<Account>,
  media: ReadonlyMap<string, Media>,
  {
    closed_to,
    public_url,
    video_transcoding
  }: Pick<Instance, "closed_to" | "public_url" | "video_transcoding">
): ReadonlyArray<ProblemItem> =>
  (
    preflight({
      content: contentOf(form),
      social_accounts: form.accounts,
      accounts: accounts as ReadonlyArray<PreflightAccount>,
      media: [...media.values()] as ReadonlyArray<PreflightMedia>,
      processing_enabled: form.processing,
      video_transcoding,
      public_url: { url: public_url, closed_to: closed_to as ReadonlyArray<PlatformId> }
    }) as ReadonlyArray<ProblemItem>
  )
    // A file that is still loading here is not missing. The service knows those that are.
    .filter(({ code }) => code !== "media_not_found")
