// Safari has no idle callbacks.
const idle = "requestIdleCallback" in window ? requestIdleCallback : setTimeout

/** Loads what the first paint does not need, once the browser has nothing else to do. */
export const whenIdle = async <A>(load: () => Promise<A>): Promise<A> => {
  await new Promise<unknown>((resolve) => idle(resolve))
  return load()
}
