/** The words of the files of a post. */
export const words = {
  label: "Media",
  addFiles: "Add files",
  library: "library",
  link: "link",
  orDrop: "or drop them anywhere",
  from: { library: "From the library", address: "From a link" },
  described: "Described",
  describe: "Describe",
  describeAll: "Describe all",
  own: {
    label: (name: string) => `Media for ${name}`,
    choose: (name: string) => `Choose separate files for ${name}`,
    share: "Use the shared files",
    shared: "The shared files",
    none: "No shared files"
  },
  fetching: "Fetching…",
  gone: "This file is gone",
  percentOf: (percent: number, size: string) => `${percent}% of ${size}`,
  actions: (name: string) => `More for ${name}`,
  crop: "Crop…",
  alt: {
    title: "Description",
    field: (name: string) => `What ${name} shows`,
    help: "For people who cannot see it. Used for every post without its own description.",
    count: (count: number, most: number) => `${count.toLocaleString("en")} of ${most.toLocaleString("en")}`,
    place: (place: number, count: number) => `${place} of ${count}`,
    back: "Back",
    next: "Next",
    done: "Done"
  },
  remove: "Remove",
  earlier: "Move forward",
  later: "Move back",
  removed: (name: string) => `${name} removed`,
  undo: "Undo",
  carry: {
    handle: (name: string, place: number, count: number) => `Move ${name}, ${place} of ${count}`,
    picked: (name: string) =>
      `${name} picked up. Move it with the arrow keys, drop it with Enter, cancel with Escape.`,
    over: (place: number, count: number) => `Place ${place} of ${count}`,
    put: (name: string, place: number) => `${name} is now number ${place}.`,
    left: "It stays where it was."
  }
} as const
