export const yes = "Yes"
export const no = "No"
export const chosen = "chosen"
export const and = (names: ReadonlyArray<string>) => new Intl.ListFormat("en").format(names)
export const firstOf = (first: string, count: number) => `${first} and ${count - 1} more`
export const automatic = "Automatic"

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
