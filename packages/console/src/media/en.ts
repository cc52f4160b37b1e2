type Named = ReadonlyArray<{ readonly name: string }>

const subject = (files: Named) => (files.length === 1 ? files[0]!.name : `${files.length} files`)

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
  },
  search: "Search names",
  upload: "Upload",
  more: "Show more",
  usedIn: (count: number) => (count === 0 ? "unused" : count === 1 ? "in 1 post" : `in ${count} posts`),
  describe: "Describe",
  fetching: "Fetching…",
  notFetched: "Could not be fetched",
  failedToLoad: "The library did not load",
  empty: {
    title: "No files yet",
    text: "Pictures, videos and PDFs for your posts stay here. Drop some anywhere on this page, or choose them."
  },
  noMatch: { title: "No file matches", clear: "Show all files" },
  drop: {
    title: (count: number) => (count === 1 ? "Drop to upload the file" : `Drop to upload ${count} files`),
    several: "Drop to upload",
    text: "You can keep working meanwhile."
  },
  uploads: {
    waiting: "Waiting for its turn",
    progress: (sent: string, size: string) => `${sent} of ${size}`,
    left: (seconds: number) => (seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`),
    checking: "Checking…",
    cut: "Interrupted, resumes by itself",
    again: "Resume now",
    cancel: (name: string) => `Stop uploading ${name}`,
    remove: (name: string) => `Remove ${name}`,
    unreadable: "The file can no longer be read. Choose it again.",
    refused: {
      unknown_media_type:
        "No network accepts this kind of file. Use JPEG, PNG, WebP, GIF, HEIC, MP4, MOV, WebM or PDF.",
      media_type_mismatch: "The file is not what its name says. Save it again, or choose another one.",
      media_unreadable: "The file is damaged or incomplete. Choose another one.",
      upload_too_large: "The file is larger than this service accepts. Choose a smaller one.",
      workspace_full: "The workspace is full. Delete files that no post needs.",
      reservations_full: "Too many uploads are unfinished. Finish or delete them, or try again in an hour.",
      storage_full: "The service has no space left. Tell the person who runs it."
    }
  },
  drawer: {
    label: "File",
    previous: "Previous file",
    next: "Next file",
    close: "Close",
    write: "Write a post",
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
    unused: "In no post yet",
    morePosts: (count: number) => `and ${count} more`,
    noText: "No text",
    gone: "This file is gone",
    notSaved: "Not saved"
  },
  choosing: {
    begin: "Choose",
    choose: "Choose files",
    label: "Chosen files",
    chosen: (count: number) => (count === 0 ? "Choose files" : `${count} chosen`),
    all: (count: number, isFirst: boolean) => (isFirst ? `The first ${count}` : `All ${count} shown`),
    remove: "Delete",
    end: "Done"
  },
  removing: {
    title: (files: Named) => `Delete ${subject(files)}?`,
    text: (isOne: boolean) =>
      isOne
        ? "It is removed from the library and from the drafts that use it. Published posts keep it. Deleting cannot be undone."
        : "They are removed from the library and from the drafts that use them. Published posts keep them. Deleting cannot be undone.",
    used: (count: number) => (count === 1 ? "1 of them is in a post." : `${count} of them are in posts.`),
    confirm: "Delete",
    busy: (done: number, count: number) => `Deleted ${done} of ${count}`,
    keep: (isOne: boolean) => (isOne ? "Keep it" : "Keep them"),
    stop: "Stop",
    kept: (files: Named) => `${subject(files)} ${files.length === 1 ? "is" : "are"} still needed`,
    neededBy: "These scheduled posts use it. Remove it from them first, or delete them.",
    others: "Posts that you cannot see use it too.",
    close: "Close",
    deleted: (files: Named) => `${subject(files)} ${files.length === 1 ? "is" : "are"} deleted`
  },
  address: {
    title: "From a link",
    field: "Address of the file",
    help: "The service fetches the file from there, so the address has to be public.",
    add: "Fetch",
    cancel: "Cancel"
  },
  crop: {
    title: "Crop",
    ratio: "Ratio",
    free: "Free",
    fits: "Fits",
    notFor: "Not for",
    part: "The part to keep. Arrow keys move it; plus and minus resize it.",
    size: (width: number, height: number) => `${width} × ${height} pixels`,
    larger: "Larger",
    smaller: "Smaller",
    stays: "The original stays.",
    cancel: "Cancel",
    keep: "Crop",
    cut: "cropped",
    failed: "The picture could not be cropped. Try a smaller part.",
    notShown: "The picture cannot be shown."
  },
  picker: {
    title: "From the library",
    add: (count: number) => (count === 0 ? "Add" : `Add ${count}`),
    cancel: "Cancel",
    empty: "The library is empty."
  }
} as const
