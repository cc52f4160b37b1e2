import { hasScope, type Role, roles, rolesWith, Role as RoleSchema, Scope, within } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const may = (role: Role) => Scope.literals.filter((scope) => hasScope(roles[role].scopes, scope))

describe("the roles", () => {
  it("include each the one below", () => {
    for (const [index, role] of RoleSchema.literals.slice(1).entries()) {
      assert.includeMembers(may(RoleSchema.literals[index]!), may(role), role)
    }
  })

  it("let editors approve and nobody below them", () => {
    assert.deepStrictEqual(rolesWith("posts:publish"), ["owner", "manager", "editor"])
    assert.isTrue(roles.writer.held)
  })

  it("bound what a member made by what the member may now", () => {
    for (const role of RoleSchema.literals) {
      for (const scope of Scope.literals) {
        const made = { scopes: [scope], social_accounts: null }
        const { scopes } = within({ role, social_accounts: null }, made)
        for (const one of Scope.literals) {
          assert.strictEqual(
            hasScope(scopes, one),
            hasScope([scope], one) && hasScope(roles[role].scopes, one),
            `${scope} of a ${role} for ${one}`
          )
        }
      }
    }
    const accounts = (theirs: ReadonlyArray<number> | null, own: ReadonlyArray<number> | null) =>
      within({ role: "editor", social_accounts: theirs }, { scopes: [], social_accounts: own })
        .social_accounts
    assert.isNull(accounts(null, null))
    assert.deepStrictEqual(accounts([1, 2], null), [1, 2])
    assert.deepStrictEqual(accounts(null, [1]), [1])
    assert.deepStrictEqual(accounts([1, 2], [2, 3]), [2])
  })
})
