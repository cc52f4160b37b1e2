/** Names that are ours too: the log's, the test network's and the command line's. */
export const readElsewhere = [
  "LOG_LEVEL",
  "LOG_FORMAT",
  "SANDBOX_HOST",
  "SANDBOX_ALLOWED_HOSTS",
  "SANDBOX_DIR",
  "CARILLON_URL",
  "CARILLON_API_KEY",
  "CARILLON_PROFILE",
  "CARILLON_ACCOUNT_PASSWORD"
]

/** A shorter name is a word that other programs use too. */
const shortest = 8

/** Names that are nearly one of those known, where that one itself is not set. */
export const misspelt = (given: ReadonlyArray<string>, known: ReadonlySet<string>) => {
  const isSet = (name: string) => given.includes(name) || given.includes(`${name}_FILE`)
  const unset = [...known].filter((name) => name.length >= shortest && !isSet(name))
  return given.flatMap((name) => {
    if (known.has(name) || name.length < shortest - 1 || name.length > 64) return []
    const meant = unset.find((other) => isNear(name, other))
    return meant === undefined ? [] : [{ given: name, meant }]
  })
}

/** What decides where data go and what opens them: a start without it would keep them elsewhere. */
const ofData = /^(CARILLON|DATABASE|S3|BACKUP)_|^(DATA_DIR|MEDIA_STORE)$/

/** Names that other programs are known to have. */
const ofOthers = ["DATABASE_URI", "DATADIR"]

/** Whether a start must not go on without the name that was meant. */
export const isFatal = ({ given, meant }: { readonly given: string; readonly meant: string }) =>
  ofData.test(meant) && !ofOthers.includes(given)

/** Whether one letter is missing, too many or another one, or two neighbours changed places. */
export const isNear = (one: string, other: string) => {
  if (Math.abs(one.length - other.length) > 1) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const [a, b] = [one.slice(from), other.slice(from)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}
