/** Whether keys belong to a field, menu or dialog, and are no shortcuts. */
export const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable], [role=menu], [role=dialog]") !== null
