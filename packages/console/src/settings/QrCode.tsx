import { useEffect, useState } from "react"

/** Dark on light in every theme: cameras read nothing else. */
export const QrCode = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [rows, setRows] = useState<ReadonlyArray<ReadonlyArray<boolean>>>([])
  useEffect(() => {
    let isShown = true
    const draw = async () => {
      const { encodeQR } = await import("qr")
      if (isShown) setRows(encodeQR(text, "raw", { border: 4 }))
    }
    void draw()
    return () => {
      isShown = false
    }
  }, [text])
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className="size-48 self-center rounded-control"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="white" />
      <path d={squares.join("")} fill="black" />
    </svg>
  )
}
