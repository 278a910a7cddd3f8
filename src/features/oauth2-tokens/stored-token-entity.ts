import { type IsoDate, parseIsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityTypeMissing, entityTypeWrong, notAnObject } from '../../rest/payload/entity-payload.ts'
import { longestTerm } from '../../store/directory-terms.ts'
import { oauth2Refused } from './oauth2-rights.ts'
import type { StoredToken, TokenValues } from './stored-tokens.ts'

export const invalidTokenDate = defineProblem(
  'invalidTokenDate',
  'invalid',
  (of: { sent: string }) => `creationDate is ${of.sent.slice(0, 100)}. Send it as 2024-05-09 11:11:11, in UTC.`,
)

const tokenMadeLater = defineProblem(
  'tokenMadeLater',
  'invalid',
  (of: { stored: string }) =>
    `creationDate is later than the stored one, ${of.stored}: the token of a program lasts for so long from then on, and is not made to last longer. Send that date or an earlier one, or leave it out.`,
)

const invalidTokenLogin = defineProblem(
  'invalidTokenLogin',
  'invalid',
  (of: { field: string }) =>
    `${of.field} is no name of a user. Send it as a text of at most ${longestTerm} characters, or leave it out.`,
)

// They are stored in the token, and lists have the tokens of everybody.
const mostShared = 100

const sharedTooWidely = defineProblem(
  'sharedTooWidely',
  'invalid',
  (of: { count: number }) => `sharedWith has ${of.count} names. Send ${mostShared} at most, such as those of groups.`,
)

/** The word before which stands what this deployment calls itself: `platformOAuth2Token`. */
export const tokenEntityType = 'platformOAuth2Token'

const text = () => Type.Nullable(Type.String())

export const storedTokenSchema = Type.Object(
  {
    'entity-type': Type.String(),
    serviceName: text(),
    serviceLogin: text(),
    clientId: text(),
    clientName: Type.Optional(Type.String({ description: "What the program is called, among the caller's own tokens" })),
    isShared: Type.Boolean(),
    sharedWith: Type.Array(Type.String({ description: 'A user or group' })),
    creationDate: Type.Nullable(Type.String({ description: 'As 2024-05-09 11:11:11, in UTC' })),
  },
  // The user's name is beside these, under a name that carries the word of the deployment.
  { $id: 'StoredOAuth2Token', additionalProperties: true },
)

export const storedTokensSchema = Type.Object(
  { 'entity-type': Type.String(), entries: Type.Array(storedTokenSchema) },
  { $id: 'StoredOAuth2Tokens' },
)

/** The secrets of a token are never shown here. */
export function writeToken(vendored: VendorIdentifiers, token: StoredToken): Static<typeof storedTokenSchema> {
  return {
    'entity-type': vendored(tokenEntityType),
    serviceName: token.serviceName,
    [vendored('platformLogin')]: token.login,
    serviceLogin: token.serviceLogin,
    clientId: token.clientId,
    isShared: token.isShared,
    sharedWith: token.sharedWith,
    creationDate: token.creationDate === null ? null : shownDate(token.creationDate),
  }
}

function shownDate(date: IsoDate): string {
  return date.slice(0, 19).replace('T', ' ')
}

export function writeTokens(
  vendored: VendorIdentifiers,
  tokens: readonly StoredToken[],
  labels: ReadonlyMap<string, string> = new Map(),
): Static<typeof storedTokensSchema> {
  const entries = tokens.map((token) => {
    const clientName = labels.get(token.clientId ?? '')
    return { ...writeToken(vendored, token), ...(clientName !== undefined && { clientName }) }
  })
  return { 'entity-type': vendored(`${tokenEntityType}s`), entries }
}

const sentText = () => Type.Optional(Type.Nullable(Type.String({ maxLength: 1_000 })))

export const storedTokenBody = Type.Refused(
  Type.Object(
    {
      'entity-type': Type.Optional(Type.Json({ description: 'As it is shown' })),
      serviceName: sentText(),
      serviceLogin: sentText(),
      clientId: sentText(),
      isShared: Type.Optional(Type.Boolean()),
      sharedWith: Type.Optional(Type.Array(Type.String({ maxLength: 400, pattern: '^[^,]*$' }))),
      creationDate: Type.Optional(Type.Nullable(Type.String())),
    },
    { additionalProperties: true },
  ),
  () => notAnObject({}),
)

type SentToken = Static<typeof storedTokenBody>

/** An entity type that carries the word of this deployment. @throws entityTypeMissing, entityTypeWrong */
export function requireEntityType(vendored: VendorIdentifiers, neutral: string, sent: unknown): void {
  const expected = vendored(neutral)
  if (typeof sent !== 'string') throw entityTypeMissing({})
  if (sent !== expected) throw entityTypeWrong({ expected, actual: sent })
}

/**
 * What of a token changes: fields that were not sent stay as they are. Whose token it is and for what, only administrators change.
 * @param body all that was sent, declared or not
 * @throws entityTypeMissing, entityTypeWrong, invalidTokenDate, tokenMadeLater, invalidTokenLogin, sharedTooWidely, oauth2Refused
 */
export function planTokenChange(
  principal: Principal,
  vendored: VendorIdentifiers,
  token: StoredToken,
  sent: SentToken,
  body: Json | undefined,
): Partial<TokenValues> {
  requireEntityType(vendored, tokenEntityType, sent['entity-type'])
  const login = parseLogin(vendored('platformLogin'), body)
  const { serviceName, clientId, serviceLogin, isShared, sharedWith, creationDate } = sent
  const identity = { serviceName, clientId, login }
  for (const [name, value] of Object.entries(identity)) {
    const isChanged = value !== undefined && value !== token[name as keyof typeof identity]
    if (isChanged && !principal.isAdministrator) throw oauth2Refused({})
  }
  if (sharedWith !== undefined && sharedWith.length > mostShared) throw sharedTooWidely({ count: sharedWith.length })
  return {
    ...(serviceName !== undefined && { serviceName }),
    ...(clientId !== undefined && { clientId }),
    ...(login !== undefined && { login }),
    ...(serviceLogin !== undefined && { serviceLogin }),
    ...(isShared !== undefined && { isShared }),
    ...(sharedWith !== undefined && { sharedWith: sharedWith.map((name) => name.trim()).filter((name) => name !== '') }),
    ...(creationDate !== undefined && { creationDate: parseTokenDate(token, creationDate) }),
  }
}

/** Its name carries the word of this deployment, so that no declaration can have it. */
function parseLogin(field: string, body: Json | undefined): string | null | undefined {
  const login = (body as { readonly [name: string]: Json } | undefined)?.[field]
  if (login === undefined || login === null) return login
  if (typeof login !== 'string' || login.length > longestTerm) throw invalidTokenLogin({ field })
  return login
}

/** That of a program's token is what its end is counted from. */
function parseTokenDate({ clientId, creationDate: stored }: StoredToken, sent: string | null): IsoDate | null {
  if (sent === null) return null
  const date = parseIsoDate(sent.trim().replace(/^(\S+) (\S+)$/, '$1T$2'))
  if (date === undefined) throw invalidTokenDate({ sent })
  const isLater = stored === null || Date.parse(date) > Date.parse(stored)
  if (clientId !== null && isLater) throw tokenMadeLater({ stored: stored === null ? 'none' : shownDate(stored) })
  return date
}
