/** The option that a problem is about: `account_configurations[0].thread[1]` is about `thread`. */
export const optionOf = (path: string): string =>
  path.replace(/^(platform_configurations\.\w+|account_configurations\[\d+\])\.?/, "").split(/[.[]/)[0]!
