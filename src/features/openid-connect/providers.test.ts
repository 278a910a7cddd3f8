import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../base/json.ts'
import { parseProviders } from './providers.ts'

const company = { issuer: 'https://id.example.org/realms/staff', clientId: 'quire' }
const parse = (openidProviders: { readonly [name: string]: Json }, openidClientSecrets?: string) =>
  parseProviders({ openidProviders, openidClientSecrets })

test('a provider needs an issuer and an id, and gives nothing unless told', () => {
  const [provider] = parse({ company })
  assert.deepEqual(provider, {
    name: 'company',
    label: 'company',
    issuer: new URL(company.issuer),
    clientId: 'quire',
    clientSecret: undefined,
    scopes: ['openid', 'profile', 'email'],
    userNameClaim: 'preferred_username',
    firstSignIn: 'refuse',
    groupsClaim: 'groups',
    groups: new Map(),
    allowAdministrators: false,
    signOutAtProvider: true,
  })
})

test('groups are a list, or say what they are called here', () => {
  assert.deepEqual(parse({ a: { ...company, groups: ['staff'] } })[0]?.groups, new Map([['staff', 'staff']]))
  assert.deepEqual(parse({ a: { ...company, groups: { all: 'staff' } } })[0]?.groups, new Map([['all', 'staff']]))
})

test('secrets stand apart, by the names of the providers', () => {
  assert.equal(parse({ company }, '{"company":"hush"}')[0]?.clientSecret, 'hush')
})

const mistakes: readonly [what: string, given: { readonly [name: string]: Json }, secrets: string | undefined, told: RegExp][] = [
  ['a name with a slash', { 'a/b': company }, undefined, /small letters/],
  ['no object', { a: 'https://id.example.org' }, undefined, /a must be an object/],
  ['no issuer', { a: { clientId: 'x' } }, undefined, /a\.issuer must be a text/],
  ['plain http', { a: { ...company, issuer: 'http://id.example.org' } }, undefined, /a\.issuer must be a URL.*https/],
  ['a secret beside', { a: { ...company, clientSecret: 'hush' } }, undefined, /QUIRE_OPENID_CLIENT_SECRETS/],
  ['a field that there is not', { a: { ...company, isuer: '' } }, undefined, /a\.isuer must be left out/],
  ['scopes without openid', { a: { ...company, scopes: ['email'] } }, undefined, /a\.scopes/],
  ['another choice', { a: { ...company, firstSignIn: 'maybe' } }, undefined, /create or refuse/],
  ['groups of numbers', { a: { ...company, groups: [1] } }, undefined, /a\.groups/],
  ['a group of none', { a: { ...company, groups: { x: null } } }, undefined, /a\.groups/],
  ['a flag that is none', { a: { ...company, allowAdministrators: 'yes' } }, undefined, /true or false/],
  ['secrets that are no JSON', { a: company }, 'hush', /openidClientSecrets must be JSON/],
  ['a secret of nobody', { a: company }, '{"b":"hush"}', /b, of which openidClientSecrets has one, must be among them/],
]
for (const [what, given, secrets, told] of mistakes) {
  test(`${what} is refused with what to change, and no secret is told`, () => {
    assert.throws(
      () => parse(given, secrets),
      (error: Error) => told.test(error.message) && !error.message.includes('hush'),
    )
  })
}
