import { findJson, isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import type { openIdConnectSettings } from './settings.ts'

/** Somebody else who knows who people are. */
export interface IdentityProvider {
  readonly name: string
  /** On its button. */
  readonly label: string
  readonly issuer: URL
  readonly clientId: string
  /** Undefined: the server is known by its address alone, and by PKCE. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  readonly userNameClaim: string
  /** What happens to people who have no account here. */
  readonly firstSignIn: 'create' | 'refuse'
  readonly groupsClaim: string
  /** The groups that it may give and take, by what the claim calls them. No others. */
  readonly groups: ReadonlyMap<string, string>
  /** Whether somebody may come in through it who may do everything here. */
  readonly allowAdministrators: boolean
  readonly signOutAtProvider: boolean
}

export const wrongIdentityProvider = defineProblem(
  'wrongIdentityProvider',
  'invalid',
  (of: { where: string; expected: string }) => `openidProviders: ${of.where} must be ${of.expected}`,
)

const namePattern = /^[a-z0-9][a-z0-9-]{0,39}$/
const fields = [
  'label',
  'issuer',
  'clientId',
  'scopes',
  'userNameClaim',
  'firstSignIn',
  'groupsClaim',
  'groups',
  'allowAdministrators',
  'signOutAtProvider',
]
const maxProviders = 20

type OpenIdConnectValues = SettingValues<typeof openIdConnectSettings>

/** @throws wrongIdentityProvider naming what to change */
export function parseProviders(
  values: Pick<OpenIdConnectValues, 'openidProviders' | 'openidClientSecrets'>,
): readonly IdentityProvider[] {
  const secrets = parseSecrets(values.openidClientSecrets)
  const { openidProviders: given = {} } = values
  const entries = Object.entries(given)
  if (entries.length > maxProviders) throw wrong('there', `at most ${maxProviders}`)
  const unused = [...secrets.keys()].find((name) => !Object.hasOwn(given, name))
  if (unused !== undefined) throw wrong(`${unused}, of which openidClientSecrets has one,`, 'among them')
  return entries.map(([name, one]) => parseProvider(name, one, secrets.get(name)))
}

function parseProvider(name: string, given: Json, clientSecret: string | undefined): IdentityProvider {
  if (!namePattern.test(name)) throw wrong(JSON.stringify(name), 'a name of small letters, digits and dashes')
  if (!isJsonObject(given)) throw wrong(name, 'an object with issuer and clientId')
  if (Object.hasOwn(given, 'clientSecret'))
    throw wrong(`${name}.clientSecret`, 'left to openidClientSecrets: set QUIRE_OPENID_CLIENT_SECRETS')
  const unknown = Object.keys(given).find((field) => !fields.includes(field))
  if (unknown !== undefined) throw wrong(`${name}.${unknown}`, `left out: there are ${fields.join(', ')}`)

  const text = (field: string, otherwise?: string) => {
    const value = given[field] ?? otherwise
    if (typeof value === 'string' && value.trim() !== '' && value.length <= 500) return value
    throw wrong(`${name}.${field}`, 'a text')
  }
  const flag = (field: string, otherwise: boolean) => {
    const value = given[field] ?? otherwise
    if (typeof value === 'boolean') return value
    throw wrong(`${name}.${field}`, 'true or false')
  }
  const scopes = given['scopes'] ?? ['openid', 'profile', 'email']
  if (!isTexts(scopes) || !scopes.includes('openid') || scopes.some((scope) => /\s/.test(scope)))
    throw wrong(`${name}.scopes`, 'a list of scopes with openid among them')
  const firstSignIn = given['firstSignIn'] ?? 'refuse'
  if (firstSignIn !== 'create' && firstSignIn !== 'refuse') throw wrong(`${name}.firstSignIn`, 'create or refuse')
  return {
    name,
    label: text('label', name),
    issuer: parseIssuer(name, text('issuer')),
    clientId: text('clientId'),
    clientSecret,
    scopes,
    userNameClaim: text('userNameClaim', 'preferred_username'),
    firstSignIn,
    groupsClaim: text('groupsClaim', 'groups'),
    groups: parseGroups(name, given['groups'] ?? {}),
    allowAdministrators: flag('allowAdministrators', false),
    signOutAtProvider: flag('signOutAtProvider', true),
  }
}

/** What is said over http could be said by anybody: it is for the own machine alone. */
function parseIssuer(name: string, text: string): URL {
  const url = URL.parse(text)
  const isOwnMachine = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnMachine)
  if (url === null || !isSafe || url.search !== '' || url.hash !== '' || url.username !== '')
    throw wrong(`${name}.issuer`, 'a URL that starts with https://, without a query')
  return url
}

/** A list gives groups by the names that they have there, too. */
function parseGroups(name: string, given: Json): ReadonlyMap<string, string> {
  const pairs = isTexts(given) ? given.map((group) => [group, group] as const) : isJsonObject(given) ? Object.entries(given) : []
  const isWrong = (!isTexts(given) && !isJsonObject(given)) || pairs.some(([there, here]) => there === '' || !isText(here))
  if (isWrong || pairs.length > 1_000)
    throw wrong(`${name}.groups`, 'a list of groups, or an object that says which group of the provider gives which one here')
  return new Map(pairs as readonly (readonly [string, string])[])
}

function parseSecrets(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined || text === '') return new Map()
  const json = findJson(text)
  const entries = isJsonObject(json) ? Object.entries(json) : []
  if (!isJsonObject(json) || !entries.every((entry): entry is [string, string] => isText(entry[1])))
    throw wrong('openidClientSecrets', 'JSON such as {"company": "…"}')
  return new Map(entries as readonly [string, string][])
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 4_000
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function wrong(where: string, expected: string) {
  return wrongIdentityProvider({ where, expected })
}
