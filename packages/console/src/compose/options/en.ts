const counts = new Intl.PluralRules("en")

export const automatic = "Automatic"

export const moreOptions = (count: number) =>
  counts.select(count) === "one" ? "1 more option" : `${count} more options`

export const fewerOptions = "Fewer options"
export const noOptions = (network: string) => `${network} has no options.`
export const charactersOf = (length: number, longest: number) =>
  `${length.toLocaleString("en")} of ${longest.toLocaleString("en")}`
export const reading = (what: string) => `Loading the account’s ${what.toLowerCase()}`
export const notRead = "The choices of this account did not load."
export const notOffered = "not offered to this account"
export const switchedOff = "The account has switched this off."
export const add = "Add"
export const addAnother = "Add another"
export const remove = (what: string) => `Remove ${what}`
export const nth = (title: string, index: number) => `${title}, ${index + 1}`
export const notJson = "This is not valid JSON yet."
export const addVideoFirst = "Add a video first, then choose one of its frames."
export const addPhotosFirst = "Add photos first, then choose one of them."
export const photo = (index: number, name: string | undefined) =>
  name === undefined ? `Photo ${index + 1}` : `Photo ${index + 1}: ${name}`
export const chooseFrame = "Choose a frame"
export const firstFrame = "Let the network choose"
export const choosePicture = "Choose from the library"
export const changePicture = "Change"
export const removePicture = "Remove"
export const pictureGone = "This picture is no longer in the library."
export const sectionOfOne = "Choose one board first: a section belongs to a single board."
export const noSections = "This board has no sections."
export const tryAgain = "Try again"
export const findAmong = (what: string) => `Search the ${what.toLowerCase()}`
export const optionsOf = (network: string) => `Options for ${network}`
