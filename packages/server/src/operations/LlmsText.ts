import { Api } from "@carillon/domain"
import { OpenApi } from "effect/http-api"

const methods = ["get", "post", "put", "patch", "delete"] as const

/** `/llms.txt` (https://llmstxt.org): everything that a language model needs to use this instance, in one page. */
export const llmsText = (publicUrl: string): string => {
  const { paths, tags = [] } = OpenApi.fromApi(Api)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method: method.toUpperCase(), ...operation }]
    })
  )
  const sections = tags.map(({ name, description = "" }) => [
    `## ${name}`,
    "",
    description,
    "",
    ...operations
      .filter((operation) => operation.tags.includes(name))
      .map(({ method, path, summary = "" }) => `- \`${method} ${path}\`: ${summary}`),
    ""
  ])
  return [
    "# Carillon",
    "",
    "> Schedules and publishes social posts: upload media, write one post, and it goes out to each chosen account at its time, once.",
    "",
    "Every request carries `Authorization: Bearer <API key>`. Bodies are JSON in `snake_case`, times are ISO 8601, ids are strings, except",
    "those of accounts. A failure has one body with `code`, `detail` and `errors`, which names every problem and what to do. Send an",
    "`Idempotency-Key` with a POST that may be sent again. An agent that speaks the Model Context Protocol needs only",
    `${publicUrl}/mcp.`,
    "",
    "To publish: reserve an upload, PUT the bytes to `upload_url`, confirm it; list the social accounts; create a post with `caption`,",
    "`media`, `social_accounts` and `scheduled_at` (none: now); then read the post's results until each is `published` or `failed`.",
    "",
    `- [OpenAPI 3.1](${publicUrl}/v1/openapi.json): every operation, schema and error`,
    `- [Reference](${publicUrl}/docs): the same to read, with examples`,
    `- [Errors](${publicUrl}/docs/errors): every code and what to do`,
    `- [Connect an app](${publicUrl}/connect): the line or button for each agent`,
    "",
    ...sections.flat()
  ].join("\n")
}
