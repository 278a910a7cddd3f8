import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Claims, hasAllClaims, readClaims } from './claims.ts'
import { parseProviders } from './providers.ts'

function aProvider(changes: { readonly [field: string]: string | readonly string[] }) {
  const company = { issuer: 'https://id.example.org', clientId: 'quire', ...changes }
  const [provider] = parseProviders({ openidProviders: { company }, openidClientSecrets: undefined })
  assert.ok(provider)
  return provider
}

const plain = aProvider({ groups: ['staff', 'sales'] })

test('a person has the name of the claim, and of its groups those that may be given', () => {
  const claims = { preferred_username: 'ann', groups: ['staff', 'administrators'], given_name: 'Ann', email: 7 }
  assert.deepEqual(readClaims(plain, claims), {
    kind: 'person',
    person: { userName: 'ann', groups: ['staff'], properties: { firstName: 'Ann' } },
  })
})

test('a claim may lie inside of another', () => {
  const nested = aProvider({ userNameClaim: 'account.name', groupsClaim: 'realm_access.roles', groups: ['staff'] })
  const claims = { account: { name: 'ann' }, realm_access: { roles: ['staff'] } }
  const read = readClaims(nested, claims)
  assert.deepEqual(read.kind === 'person' && read.person.groups, ['staff'])
  assert.equal(hasAllClaims(nested, claims), true)
  assert.equal(hasAllClaims(nested, { account: { name: 'ann' } }), false)
})

test('an address is a name only where it was verified', () => {
  const byAddress = aProvider({ userNameClaim: 'email' })
  assert.equal(readClaims(byAddress, { email: 'a@b.c', email_verified: true }).kind, 'person')
  for (const email_verified of [false, undefined, 'true']) {
    assert.equal(readClaims(byAddress, { email: 'a@b.c', email_verified }).kind, 'unusable')
  }
})

test('whatever is claimed, nobody gets a group that is not the provider’s to give, and no name is empty', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('preferred_username', 'groups', 'email', 'x'), fc.anything()), (claims: Claims) => {
      const read = readClaims(plain, claims)
      if (read.kind === 'unusable') return
      assert.ok(read.person.userName.trim() !== '')
      assert.ok(read.person.groups.every((group) => ['staff', 'sales'].includes(group)))
    }),
  )
})
