/** The usual ones with their names, twelve in each group. */
export const emoji = [
  {
    name: "Faces",
    all: [
      ["😀", "Grinning face"],
      ["😂", "Tears of joy"],
      ["😊", "Smiling face"],
      ["😍", "Heart eyes"],
      ["😎", "Sunglasses"],
      ["😉", "Wink"],
      ["🤔", "Thinking face"],
      ["🥳", "Party face"],
      ["😋", "Tasty"],
      ["😮", "Surprised face"],
      ["😢", "Crying face"],
      ["😴", "Sleeping face"]
    ]
  },
  {
    name: "Hands and hearts",
    all: [
      ["👍", "Thumbs up"],
      ["👏", "Clapping hands"],
      ["🙌", "Raised hands"],
      ["🙏", "Folded hands"],
      ["👋", "Waving hand"],
      ["💪", "Strong arm"],
      ["🤝", "Handshake"],
      ["👉", "Pointing right"],
      ["👇", "Pointing down"],
      ["👀", "Eyes"],
      ["❤️", "Red heart"],
      ["💛", "Yellow heart"]
    ]
  },
  {
    name: "Nature and weather",
    all: [
      ["☀️", "Sun"],
      ["🌧️", "Rain"],
      ["❄️", "Snowflake"],
      ["🌈", "Rainbow"],
      ["🌙", "Moon"],
      ["🔥", "Fire"],
      ["🌸", "Blossom"],
      ["🌻", "Sunflower"],
      ["🍂", "Autumn leaves"],
      ["🌱", "Seedling"],
      ["🐶", "Dog"],
      ["🐱", "Cat"]
    ]
  },
  {
    name: "Food and feasts",
    all: [
      ["☕", "Coffee"],
      ["🍞", "Bread"],
      ["🥐", "Croissant"],
      ["🍎", "Apple"],
      ["🍕", "Pizza"],
      ["🍰", "Cake"],
      ["🍷", "Wine"],
      ["🍻", "Beer"],
      ["🎂", "Birthday cake"],
      ["🎁", "Present"],
      ["🎄", "Christmas tree"],
      ["🎉", "Party popper"]
    ]
  },
  {
    name: "Things and signs",
    all: [
      ["🔔", "Bell"],
      ["📅", "Calendar"],
      ["⏰", "Alarm clock"],
      ["📍", "Place"],
      ["📣", "Megaphone"],
      ["📷", "Camera"],
      ["🎵", "Music"],
      ["💡", "Light bulb"],
      ["🚀", "Rocket"],
      ["✨", "Sparkles"],
      ["✅", "Check mark"],
      ["⭐", "Star"]
    ]
  }
] as const
