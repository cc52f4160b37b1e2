/** The keys of a person who is writing belong to the field. */
export const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog]") !== null
