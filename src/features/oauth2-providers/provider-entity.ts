import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { notAnObject } from '../../rest/payload/entity-payload.ts'
import { requireEntityType, type StoredToken } from '../oauth2-tokens/index.ts'
import { isAvailable, type ProviderRegistration, type ServiceProvider } from './providers.ts'

/** The prefix is the original's, and clients compare it (security 3.3). */
export const serviceNameBlank = defineProblem(
  'serviceNameBlank',
  'invalid',
  (_: object) => "java.lang.IllegalArgumentException: The provider's service name cannot be blank!",
)

/** The word before which stands what this deployment calls itself: `platformOAuth2ServiceProvider`. */
export const providerEntityType = 'platformOAuth2ServiceProvider'

const text = () => Type.Nullable(Type.String())

export const providerSchema = Type.Object(
  {
    'entity-type': Type.String(),
    serviceName: Type.String(),
    description: text(),
    clientId: text(),
    clientSecret: Type.Nullable(Type.String({ description: 'Shown to administrators' })),
    authorizationServerURL: text(),
    tokenServerURL: text(),
    userAuthorizationURL: text(),
    scopes: Type.Array(Type.String()),
    isEnabled: Type.Boolean(),
    isAvailable: Type.Boolean({ description: 'Enabled, and this server is known there' }),
    authorizationURL: Type.Nullable(Type.String({ description: 'Where the caller consents' })),
    isAuthorized: Type.Boolean({ description: 'The caller has' }),
    userId: Type.Nullable(Type.String({ description: 'What the service calls the caller' })),
  },
  { $id: 'OAuth2ServiceProvider' },
)

export const providersSchema = Type.Object(
  { 'entity-type': Type.String(), entries: Type.Array(providerSchema) },
  { $id: 'OAuth2ServiceProviders' },
)

/** What the entity of a service says beside what is stored of it. */
export interface ProviderView {
  readonly vendored: VendorIdentifiers
  readonly authorizationUrl: string | null
  /** What the caller agreed with it. */
  readonly token: StoredToken | undefined
  readonly showsSecret: boolean
}

export function writeProvider(provider: ServiceProvider, view: ProviderView): Static<typeof providerSchema> {
  return {
    'entity-type': view.vendored(providerEntityType),
    serviceName: provider.serviceName,
    description: provider.description,
    clientId: provider.clientId,
    clientSecret: view.showsSecret ? provider.clientSecret : null,
    authorizationServerURL: provider.authorizationServerUrl,
    tokenServerURL: provider.tokenServerUrl,
    userAuthorizationURL: provider.userAuthorizationUrl,
    scopes: provider.scopes,
    isEnabled: provider.isEnabled,
    isAvailable: isAvailable(provider),
    authorizationURL: view.authorizationUrl,
    isAuthorized: view.token !== undefined,
    userId: view.token?.serviceLogin ?? null,
  }
}

const sent = (maxLength = 2_000) => Type.Optional(Type.Nullable(Type.String({ maxLength })))

export const providerBody = Type.Refused(
  Type.Object(
    {
      'entity-type': Type.Optional(Type.Json({ description: 'As it is shown' })),
      serviceName: sent(400),
      description: sent(),
      clientId: sent(),
      clientSecret: sent(),
      authorizationServerURL: sent(),
      tokenServerURL: sent(),
      userAuthorizationURL: sent(),
      scopes: Type.Optional(Type.Nullable(Type.Array(Type.String({ maxLength: 400 })))),
      isEnabled: Type.Optional(Type.Nullable(Type.Boolean())),
    },
    { additionalProperties: true },
  ),
  () => notAnObject({}),
)

/** The whole of it: what is absent is not there. @throws entityTypeMissing, entityTypeWrong, serviceNameBlank */
export function parseProvider(vendored: VendorIdentifiers, body: Static<typeof providerBody>): ProviderRegistration {
  requireEntityType(vendored, providerEntityType, body['entity-type'])
  const serviceName = body.serviceName?.trim() ?? ''
  if (serviceName === '') throw serviceNameBlank({})
  return {
    serviceName,
    description: body.description ?? null,
    clientId: body.clientId || null,
    clientSecret: body.clientSecret || null,
    authorizationServerUrl: body.authorizationServerURL || null,
    tokenServerUrl: body.tokenServerURL || null,
    userAuthorizationUrl: body.userAuthorizationURL || null,
    scopes: (body.scopes ?? [])
      .flatMap((scope) => scope.split(','))
      .map((scope) => scope.trim())
      .filter((scope) => scope !== ''),
    isEnabled: body.isEnabled ?? false,
  }
}
