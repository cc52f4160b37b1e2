import type { Show } from "./search.ts"

/** The words of this room. */
export const words = {
  room: "Library",
  files: (count: string, one: boolean) => (one ? `${count} file` : `${count} files`),
  show: {
    label: "Show",
    all: "All",
    image: "Pictures",
    video: "Videos",
    unused: "Unused",
    undescribed: "Not described"
  } satisfies Record<Show | "label", string>,
  search: "Search names",
  upload: "Upload",
  more: "Show more",
  usedIn: (count: number) => (count === 0 ? "unused" : count === 1 ? "in 1 post" : `in ${count} posts`),
  describe: "Describe",
  fetching: "Being fetched",
  notFetched: "Could not be fetched",
  failedToLoad: "The library did not load",
  empty: {
    title: "No files yet",
    text: "Drop pictures, videos or PDFs anywhere on this page, or choose them."
  },
  noMatch: { title: "No file fits", clear: "Show all files" },
  drop: {
    title: (count: number) => (count === 1 ? "Let go to upload the file" : `Let go to upload ${count} files`),
    several: "Let go to upload",
    text: "You can go on meanwhile."
  },
  uploads: {
    waiting: "Waits for its turn",
    progress: (sent: string, size: string) => `${sent} of ${size}`,
    left: (seconds: number) => (seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`),
    checking: "Being looked at",
    cut: "Broke off, goes on by itself",
    again: "Go on now",
    cancel: (name: string) => `Stop uploading ${name}`,
    remove: (name: string) => `Leave out ${name}`,
    unreadable: "The file can no longer be read. Choose it again.",
    refused: {
      unknown_media_type:
        "No network takes this kind of file. JPEG, PNG, WebP, GIF, HEIC, MP4, MOV, WebM and PDF work.",
      media_type_mismatch: "The file is not what its name says.",
      media_unreadable: "The file is damaged or not complete.",
      upload_too_large: "The file is larger than this service takes.",
      workspace_full: "The workspace is full. Delete files that no post needs.",
      storage_full: "The service has no room left. Tell the person who runs it."
    }
  },
  drawer: {
    label: "File",
    previous: "Previous file",
    next: "Next file",
    close: "Close",
    write: "Write with it",
    crop: "Crop",
    download: "Download",
    delete: "Delete",
    name: "Name",
    altText: "Description (alt text)",
    altHelp: "Used for every post without its own description.",
    count: (count: number, most: number) => `${count.toLocaleString("en")} of ${most.toLocaleString("en")}`,
    size: "Size",
    added: "Added",
    fits: "Fits",
    notFor: "Not for",
    inPosts: (count: number) => (count === 1 ? "In 1 post" : `In ${count} posts`),
    inItem: (position: number, count: number) => `in post ${position} of ${count}`,
    unused: "On no post yet",
    morePosts: (count: number) => `and ${count} more`,
    noText: "No text",
    gone: "This file is gone",
    notSaved: (why: string) => `Not saved. ${why}`
  },
  removing: {
    title: (name: string) => `Delete ${name}?`,
    text: "It is removed from the library and from the drafts that use it. Published posts keep it. Deleting cannot be undone.",
    confirm: "Delete",
    keep: "Keep it",
    kept: (name: string) => `${name} is still needed`,
    neededBy: "These planned posts use it. Take it off them first, or delete them.",
    others: "Posts that you do not see use it too.",
    close: "Close",
    deleted: (name: string) => `${name} is deleted`
  },
  address: {
    title: "From a link",
    field: "Address of the file",
    help: "The service fetches it. It has to be public.",
    add: "Fetch",
    cancel: "Cancel"
  },
  crop: {
    title: "Crop",
    ratio: "Ratio",
    free: "Free",
    fits: "Fits",
    notFor: "Not for",
    part: "The part that is kept. Arrow keys move it, plus and minus change its size.",
    size: (width: number, height: number) => `${width} × ${height} pixels`,
    larger: "Larger",
    smaller: "Smaller",
    stays: "The original stays.",
    cancel: "Cancel",
    keep: "Crop",
    cut: "cut",
    failed: "The picture could not be cut. Try a smaller part.",
    notShown: "The picture cannot be shown."
  },
  picker: {
    title: "From the library",
    add: (count: number) => (count === 0 ? "Add" : `Add ${count}`),
    cancel: "Cancel",
    empty: "There is nothing in the library yet."
  }
} as const
