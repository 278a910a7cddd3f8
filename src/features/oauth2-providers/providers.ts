import { defineProblem } from '../../base/problem.ts'
import { createEntry } from '../../core/directories/create-entry.ts'
import { deleteEntry } from '../../core/directories/delete-entry.ts'
import { directoriesSeenBy } from '../../core/directories/directories-seen-by.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { planLookup } from '../../core/directories/search-entries.ts'
import { updateEntry } from '../../core/directories/update-entry.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { splitNames } from '../oauth2-tokens/index.ts'
import { providerDirectory } from './oauth2-provider-model.ts'

/** Another service, in which this server acts for users. */
export interface ServiceProvider {
  readonly entryId: string
  readonly serviceName: string
  readonly description: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
  readonly authorizationServerUrl: string | null
  readonly tokenServerUrl: string | null
  readonly userAuthorizationUrl: string | null
  readonly scopes: readonly string[]
  readonly isEnabled: boolean
}

/** What an administrator, or the configuration, says of it. */
export type ProviderRegistration = Omit<ServiceProvider, 'entryId'>

export const providerNotFound = defineProblem(
  'providerNotFound',
  'notFound',
  (of: { serviceName: string }) => `Invalid provider: ${of.serviceName}`,
)

/** The first that is stored, should an older server have stored several of that name. */
export async function findProvider(session: Session, serviceName: string): Promise<ServiceProvider | undefined> {
  const [first] = await search(session, { serviceName })
  return first
}

/** @throws providerNotFound */
export async function readProvider(session: Session, serviceName: string): Promise<ServiceProvider> {
  const provider = await findProvider(session, serviceName)
  if (provider === undefined) throw providerNotFound({ serviceName })
  return provider
}

/** In the order in which they were stored. */
export function listProviders(session: Session): Promise<readonly ServiceProvider[]> {
  return search(session, {})
}

async function search(session: Session, equal: { readonly serviceName?: string }): Promise<readonly ServiceProvider[]> {
  const lookup = planLookup(readDirectory(session, providerDirectory), equal)
  const { entries } = await directoriesSeenBy(session).search({ ...lookup, order: [{ field: 'id', isAscending: true }] })
  return entries.map(providerOf)
}

/** @throws entryValueTaken */
export async function addProvider(session: WriteSession, registration: ProviderRegistration): Promise<ServiceProvider> {
  const change = { values: valuesOf(registration), references: {} }
  return providerOf(await createEntry(session.asSystem(), readDirectory(session, providerDirectory), change))
}

/** @throws entryValueTaken */
export async function changeProvider(
  session: WriteSession,
  entryId: string,
  registration: ProviderRegistration,
): Promise<ServiceProvider> {
  const change = { values: valuesOf(registration), references: {} }
  return providerOf(await updateEntry(session.asSystem(), readDirectory(session, providerDirectory), entryId, change))
}

export function removeProvider(session: WriteSession, entryId: string): Promise<void> {
  return deleteEntry(session.asSystem(), readDirectory(session, providerDirectory), entryId)
}

/** Whether it can be used at all: nobody can sign in there without what this server is known by. */
export function isAvailable({ isEnabled, clientId, clientSecret }: ServiceProvider): boolean {
  return isEnabled && clientId !== null && clientSecret !== null
}

/** One that this server is not known by is not enabled, whatever was asked for (security 3.2). */
function valuesOf(registration: ProviderRegistration) {
  const { serviceName, description, clientId, clientSecret, scopes, isEnabled } = registration
  return {
    serviceName,
    description,
    clientId,
    clientSecret,
    authorizationServerURL: registration.authorizationServerUrl,
    tokenServerURL: registration.tokenServerUrl,
    userAuthorizationURL: registration.userAuthorizationUrl,
    scopes: scopes.length === 0 ? null : scopes.join(','),
    enabled: isEnabled && clientId !== null && clientSecret !== null,
  }
}

function providerOf({ id, values }: DirectoryEntry): ServiceProvider {
  const text = (field: string) => {
    const value = values[field]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    entryId: id,
    serviceName: text('serviceName') ?? '',
    description: text('description'),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    authorizationServerUrl: text('authorizationServerURL'),
    tokenServerUrl: text('tokenServerURL'),
    userAuthorizationUrl: text('userAuthorizationURL'),
    scopes: splitNames(text('scopes')),
    // Whoever wrote the entry, one that this server is not known by is not enabled (security 3.2).
    isEnabled: values['enabled'] !== false && text('clientId') !== null && text('clientSecret') !== null,
  }
}
