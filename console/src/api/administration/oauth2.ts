import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys, type EntityPages, pagesOfWhole } from './entity-pages.ts'

type Schemas = components['schemas']
type WholeClient = Schemas['OAuth2Client']
type WholeProvider = Schemas['OAuth2ServiceProvider']

const encoded = encodeURIComponent
const clientPath = (id: string) => `oauth2/client/${encoded(id)}`
const providerPath = (name: string) => `oauth2/provider/${encoded(name)}`

// The API tells administrators the secrets, as its clients rely on. No screen gets them: they are only replaced.

/** A program that may ask to act for users. */
export interface OAuth2Client extends Required<Omit<WholeClient, 'entity-type' | 'secret'>> {
  readonly hasSecret: boolean
}

/** A service in which the server acts for users. */
export interface OAuth2Provider extends Omit<WholeProvider, 'entity-type' | 'clientSecret'> {
  readonly hasSecret: boolean
}

export const oauth2Clients: EntityPages<OAuth2Client> = pagesOfWhole(['oauth2-clients'], async (signal) =>
  (await call<Schemas['OAuth2Clients']>('oauth2/client', { signal })).entries.map(shownClient),
)

export function oauth2ClientQuery(id: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'oauth2-client', id] as const,
    queryFn: async ({ signal }) => shownClient(await call<WholeClient>(clientPath(id), { signal })),
  })
}

/** What is said of a program; a secret that is absent stays, and null forgets it. */
export type ClientChange = Partial<Pick<WholeClient, 'name' | 'redirectURIs' | 'secret' | 'isAutoGrant' | 'isEnabled'>>

/** @throws Problem */
export async function createOAuth2Client(id: string, change: ClientChange): Promise<OAuth2Client> {
  const json = { 'entity-type': 'oauth2Client', id, ...change }
  return shownClient(await call<WholeClient>('oauth2/client', { method: 'POST', json }))
}

/** What is not given stays as it is. @throws Problem */
export async function changeOAuth2Client(id: string, change: ClientChange): Promise<OAuth2Client> {
  const json = { ...(await call<WholeClient>(clientPath(id))), ...change }
  return shownClient(await call<WholeClient>(clientPath(id), { method: 'PUT', json }))
}

/** @throws Problem */
export function deleteOAuth2Client(id: string): Promise<void> {
  return call<void>(clientPath(id), { method: 'DELETE' })
}

/** By the sentence with which the server refuses it: the field that is wrong. */
export const clientMistakes: readonly (readonly [RegExp, string])[] = [
  [/redirect URIs?\b/i, 'redirectURIs'],
  [/^Client with id|^Client Id/, 'id'],
  [/^Client name/, 'name'],
]

export const providerMistakes: typeof clientMistakes = [[/serviceName|service name/, 'serviceName']]

export const oauth2Providers: EntityPages<OAuth2Provider> = pagesOfWhole(['oauth2-providers'], async (signal) =>
  (await listProviders(signal)).entries.map(shownProvider),
)

export function oauth2ProviderQuery(name: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'oauth2-provider', name] as const,
    queryFn: async ({ signal }) => shownProvider(await call<WholeProvider>(providerPath(name), { signal })),
  })
}

type ProviderFields = 'description' | 'clientId' | 'authorizationServerURL' | 'tokenServerURL' | 'userAuthorizationURL'
/** What is said of a service; a secret that is absent stays. */
export type ProviderChange = Partial<Pick<WholeProvider, ProviderFields | 'clientSecret' | 'scopes' | 'isEnabled'>>

/** @throws Problem */
export async function createOAuth2Provider(serviceName: string, change: ProviderChange): Promise<OAuth2Provider> {
  // The name of the entity carries the word of the deployment, as that of the list does.
  const entityType = (await listProviders())['entity-type'].replace(/s$/, '')
  const json = { 'entity-type': entityType, serviceName, ...change }
  return shownProvider(await call<WholeProvider>('oauth2/provider', { method: 'POST', json }))
}

/** What is not given stays as it is. @throws Problem */
export async function changeOAuth2Provider(name: string, change: ProviderChange): Promise<OAuth2Provider> {
  const json = { ...(await call<WholeProvider>(providerPath(name))), ...change }
  return shownProvider(await call<WholeProvider>(providerPath(name), { method: 'PUT', json }))
}

/** @throws Problem */
export function deleteOAuth2Provider(name: string): Promise<void> {
  return call<void>(providerPath(name), { method: 'DELETE' })
}

function listProviders(signal?: AbortSignal): Promise<Schemas['OAuth2ServiceProviders']> {
  return call<Schemas['OAuth2ServiceProviders']>('oauth2/provider', signal === undefined ? {} : { signal })
}

function shownClient({ id, name, isEnabled, redirectURIs = [], isAutoGrant = false, secret }: WholeClient): OAuth2Client {
  return { id, name, isEnabled, redirectURIs, isAutoGrant, hasSecret: (secret ?? '') !== '' }
}

function shownProvider({ 'entity-type': _, clientSecret, ...provider }: WholeProvider): OAuth2Provider {
  return { ...provider, hasSecret: (clientSecret ?? '') !== '' }
}
