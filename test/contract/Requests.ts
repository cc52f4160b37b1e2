import { hasScope, Scope } from "@carillon/domain"
import type { Operation } from "./Document.ts"
import { type Id, type Kind, kindOf, pathKinds, unknownId } from "./Ids.ts"
import type { Tenant } from "./Tenant.ts"
import { json, type WireRequest } from "./Wire.ts"

/** An operation's path with these ids. */
export const target = (operation: Operation, idFor: (kind: Kind) => Id): string =>
  operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(idFor(kindOf(name)!))))

export const hasJson = ({ requestBody }: Operation): boolean =>
  requestBody?.content["application/json"] !== undefined

/** What should succeed: new things in the path, the first example as the body. */
export const good = async (operation: Operation, tenant: Tenant): Promise<WireRequest> => {
  const ids = new Map<Kind, Id>()
  for (const kind of pathKinds(operation)) ids.set(kind, await tenant.fresh(kind))
  return json(
    operation.method,
    target(operation, (kind) => ids.get(kind)!),
    await tenant.example(operation)
  )
}

/** The same for things that do not exist. */
export const missing = async (operation: Operation, tenant: Tenant): Promise<WireRequest> =>
  json(operation.method, target(operation, unknownId), await tenant.example(operation))

/** The scopes of which one alone is not enough. */
export const tooFew = (operation: Operation): ReadonlyArray<Scope> =>
  Scope.literals.filter((scope) => !hasScope([scope], operation.scope!))
