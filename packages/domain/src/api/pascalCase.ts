/** `post.failed`, `not_found` and `idempotency-key` in the names of OpenAPI's operations and components. */
export const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[-._])(\w)/g, (_, letter: string) => letter.toUpperCase())
