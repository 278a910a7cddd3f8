import { defineProblem } from '../../base/problem.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityBody } from '../../rest/payload/entity-payload.ts'
import type { ClientRegistration, OAuth2Client } from './clients.ts'
import { isRedirectUri } from './redirect-uri.ts'

export const clientNameMissing = defineProblem('clientNameMissing', 'invalid', (_: object) => 'Client name is required')
export const clientIdMissing = defineProblem('clientIdMissing', 'invalid', (_: object) => 'Client Id is required')
export const redirectUrisMissing = defineProblem('redirectUrisMissing', 'invalid', (_: object) => 'Redirect URIs is required')
export const redirectUriInvalid = defineProblem(
  'redirectUriInvalid',
  'invalid',
  (of: { uri: string }) => `'${of.uri.slice(0, 200)}' is not a valid redirect URI`,
)

const entityType = 'oauth2Client'

const shown = {
  'entity-type': Type.Literal(entityType),
  name: Type.String(),
  id: Type.String({ description: 'The client_id that the program sends' }),
  isEnabled: Type.Boolean(),
}

export const clientSchema = Type.Object(
  {
    ...shown,
    redirectURIs: Type.Optional(Type.Array(Type.String())),
    secret: Type.Optional(Type.Nullable(Type.String())),
    isAutoGrant: Type.Optional(Type.Boolean({ description: 'Users are not asked' })),
  },
  { $id: 'OAuth2Client' },
)

export const clientsSchema = Type.Object(
  { 'entity-type': Type.Literal('oauth2Clients'), entries: Type.Array(clientSchema) },
  { $id: 'OAuth2Clients' },
)

/** The same for administrators, who register programs, and as little as the name for others where they may know it at all. */
export function writeClient(client: OAuth2Client, { isWhole }: { readonly isWhole: boolean }): Static<typeof clientSchema> {
  const { name, clientId: id, isEnabled, redirectUris, secret, isAutoGrant } = client
  if (!isWhole) return { 'entity-type': entityType, id, name, isEnabled }
  return { 'entity-type': entityType, name, redirectURIs: redirectUris, secret, id, isAutoGrant, isEnabled }
}

const text = (maxLength: number, description: string) => Type.Optional(Type.Nullable(Type.String({ maxLength, description })))

export const clientBody = entityBody(entityType, {
  id: text(400, 'The client_id that the program sends'),
  name: text(400, 'What users are shown'),
  redirectURIs: Type.Optional(Type.Nullable(Type.Array(Type.String({ maxLength: 2_000 })))),
  secret: text(400, 'None for a program that cannot keep one'),
  isAutoGrant: Type.Optional(Type.Boolean({ description: 'Users are not asked' })),
  isEnabled: Type.Optional(Type.Boolean()),
})

/**
 * What was sent, as a whole: what is absent is not there.
 * @throws clientNameMissing, clientIdMissing, redirectUrisMissing, redirectUriInvalid
 */
export function parseClient(sent: Static<typeof clientBody>, options: { readonly devMode: boolean }): ClientRegistration {
  const [name, clientId] = [sent.name?.trim() ?? '', sent.id?.trim() ?? '']
  const redirectUris = (sent.redirectURIs ?? []).map((uri) => uri.trim())
  if (name === '') throw clientNameMissing({})
  if (clientId === '') throw clientIdMissing({})
  if (redirectUris.length === 0) throw redirectUrisMissing({})
  const wrong = redirectUris.find((uri) => !isRedirectUri(uri, options))
  if (wrong !== undefined) throw redirectUriInvalid({ uri: wrong })
  const { secret, isAutoGrant = false, isEnabled = false } = sent
  return { name, clientId, redirectUris, secret: secret || null, isAutoGrant, isEnabled }
}
