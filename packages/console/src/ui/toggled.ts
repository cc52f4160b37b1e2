/** What is chosen, with one more or one less. */
export const toggled = <Id>(chosen: ReadonlyArray<Id>, id: Id): ReadonlyArray<Id> =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
