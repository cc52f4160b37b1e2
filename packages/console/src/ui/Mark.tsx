import sprite from "./icons.svg?url&no-inline"

/** The sign of Carillon. */
export const Mark = () => (
  <svg className="size-6 fill-current text-brand" aria-hidden="true">
    <use href={`${sprite}#mark`} />
  </svg>
)
