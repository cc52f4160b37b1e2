import { platformName } from "@carillon/domain/PlatformFacts"
import type { Instance } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useInstance } from "../data/instance.ts"
import { sizeWords } from "../media/mediaFacts.ts"
import { Card } from "../ui/Card.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { words as all } from "./en.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const words = all.instance

const factsOf = ({
  closed_to,
  connectable,
  public_url,
  ...instance
}: Instance): ReadonlyArray<readonly [name: string, value: string]> => {
  const names = (platforms: ReadonlyArray<string>) =>
    platforms.length === 0 ? words.none : platforms.map(platformName).join(", ")
  const real = connectable.filter(({ platform }) => platform !== "sandbox")
  const of = (isWanted: (one: (typeof real)[number]) => boolean) =>
    names(real.filter(isWanted).map(({ platform }) => platform))
  const { document, image, video } = instance.maximum_bytes
  return [
    [words.version, instance.version],
    [words.address, closed_to.length === 0 ? public_url : `${public_url} (${words.closed})`],
    [words.ready, of(({ configured, network }) => configured && network === "real")],
    [words.toSetUp, of(({ configured, network }) => !configured || network === "test")],
    [words.videos, instance.video_transcoding ? words.converted : words.notConverted],
    [words.largest, words.sizes(sizeWords(image), sizeWords(video), sizeWords(document))]
  ]
}

/** What the operator of the service has set up. */
export const InstanceFacts = () => {
  const instance = useInstance()
  return (
    <SettingsPage>
      <p className="text-sm text-soft max-sm:px-4">
        {words.text} <Link to="/accounts/apps">{words.apps}</Link>
      </p>
      {instance === undefined ? (
        <Skeleton rows={6} height={32} />
      ) : (
        <Card label={all.pages.instance}>
          <dl className="m-0 divide-y divide-hair text-sm">
            {factsOf(instance).map(([name, value]) => (
              <div key={name} className="flex flex-wrap gap-x-4 px-4 py-2">
                <dt className="w-48 flex-none text-soft">{name}</dt>
                <dd className="m-0 min-w-0 flex-1 basis-48 break-words">{value}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </SettingsPage>
  )
}
