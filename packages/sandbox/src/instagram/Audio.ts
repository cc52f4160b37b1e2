export const audioTypes = ["music", "original_sound"] as const

/** What reels can be set to. */
const audio = [
  { audio_id: "9040001001", type: "music", title: "Evening bells", display_artist: "The Ringers" },
  { audio_id: "9040001002", type: "music", title: "Carillon in C", display_artist: "Anna Berg" },
  { audio_id: "9040001003", type: "original_sound", title: "Original audio", display_artist: "demo" }
] as const

export const isAudio = (id: string) => audio.some(({ audio_id }) => audio_id === id)

/** Those with the words in their title or artist; all of the type, which are popular, without any. */
export const audioOf = (type: (typeof audioTypes)[number], words: string) =>
  audio
    .filter((one) => one.type === type)
    .filter(({ display_artist, title }) =>
      `${title} ${display_artist}`.toLowerCase().includes(words.toLowerCase())
    )
    .map(({ audio_id, display_artist, title }) => ({
      audio_id,
      title,
      display_artist,
      duration_in_ms: 90_000
    }))
