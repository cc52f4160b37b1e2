import type { Media } from "@carillon/sdk"
import { useAccounts } from "../data/accounts.ts"
import { useInstance } from "../data/instance.ts"
import { words } from "../media/en.ts"
import { Glyph } from "../ui/Glyph.tsx"
import { acceptedBy } from "./acceptedBy.ts"

/** Which networks of the connected accounts accept a file, and why the others do not. */
export const AcceptingNetworks = ({ media }: { readonly media: Media }) => {
  const accounts = useAccounts()
  const instance = useInstance()
  const networks = acceptedBy(
    media,
    [...accounts.values()].map(({ platform }) => platform),
    { video_transcoding: instance?.video_transcoding === true }
  )
  const fits = networks.filter(({ refusal }) => refusal === null)
  const refusing = networks.filter(({ refusal }) => refusal !== null)
  return (
    <>
      {fits.length > 0 && (
        <>
          <dt className="text-soft">{words.drawer.fits}</dt>
          <dd className="flex flex-wrap gap-x-3 gap-y-1">
            {fits.map(({ name, platform }) => (
              <span key={platform} className="inline-flex items-center gap-1">
                <Glyph platform={platform} /> {name}
              </span>
            ))}
          </dd>
        </>
      )}
      {refusing.length > 0 && (
        <>
          <dt className="text-soft">{words.drawer.notFor}</dt>
          <dd className="flex flex-col gap-1">
            {refusing.map(({ name, platform, refusal }) => (
              <p key={platform} className="flex gap-1">
                <Glyph platform={platform} />
                <span>
                  {name} {refusal}
                </span>
              </p>
            ))}
          </dd>
        </>
      )}
    </>
  )
}
