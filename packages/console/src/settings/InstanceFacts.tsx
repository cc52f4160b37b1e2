import { platformName } from "@carillon/domain/PlatformFacts"
import type { Instance } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useInstance, useInstanceChecks } from "../data/instance.ts"
import { isOwner } from "../data/may.ts"
import { sizeWords } from "../media/mediaFacts.ts"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { TextButton } from "../ui/TextButton.tsx"
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

const ranks = { problem: 0, warning: 1, ok: 2 } as const
const signs = { problem: "warning", warning: "warning", ok: "check" } as const
const colors = { problem: "text-bad", warning: "text-wait", ok: "text-good" } as const

/** What the service finds of itself, what needs a person first. */
const Checks = () => {
  const query = useInstanceChecks()
  if (!isOwner) return null
  return (
    <Card
      title={words.checks}
      beside={
        <TextButton disabled={query.isFetching} onClick={() => void query.refetch()}>
          {words.again}
        </TextButton>
      }
    >
      <Loaded query={query} failed={words.checksFailed} rows={6} height={32}>
        {({ checks }) => (
          <ul className="divide-y divide-hair text-sm">
            {checks
              .toSorted((one, other) => ranks[one.level] - ranks[other.level])
              .map(({ advice, check, found, level }) => (
                <li key={`${check} ${found}`} data-level={level} className="flex gap-2 px-4 py-2">
                  <span className={colors[level]} role="img" aria-label={words.levels[level]}>
                    <Icon name={signs[level]} />
                  </span>
                  <div className="min-w-0 flex-1 break-words">
                    <strong className="font-semibold">{check}</strong>{" "}
                    <span className="text-soft">{found}</span>
                    {advice !== null && <p>{advice}</p>}
                  </div>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

/** What the operator of the service has set up, and what the service finds of itself. */
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
      <Checks />
    </SettingsPage>
  )
}
