import { defineProblem } from '../../base/problem.ts'
import { isSameText } from '../../base/same-text.ts'
import { createEntry } from '../../core/directories/create-entry.ts'
import { deleteEntry } from '../../core/directories/delete-entry.ts'
import { directoriesSeenBy } from '../../core/directories/directories-seen-by.ts'
import { listenToEntries } from '../../core/directories/entry-events.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { planLookup } from '../../core/directories/search-entries.ts'
import { entryValueTaken } from '../../core/directories/unique-values.ts'
import { updateEntry } from '../../core/directories/update-entry.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { forgetTokens, splitNames } from '../oauth2-tokens/index.ts'
import { clientDirectory } from './oauth2-server-model.ts'

/** A program that was registered to act for users with their consent. */
export interface OAuth2Client {
  /** That of its entry in the directory; programs know themselves by their `clientId`. */
  readonly entryId: string
  readonly clientId: string
  readonly name: string
  /** Null: it cannot keep one, as programs on people's machines cannot. */
  readonly secret: string | null
  readonly redirectUris: readonly string[]
  /** Users are not asked. */
  readonly isAutoGrant: boolean
  readonly isEnabled: boolean
}

/** What an administrator says of it. */
export type ClientRegistration = Omit<OAuth2Client, 'entryId'>

export const clientIdTaken = defineProblem(
  'clientIdTaken',
  'invalid',
  (of: { clientId: string }) => `Client with id '${of.clientId}' already exists`,
)

/** Only where an older version of this server, which let that happen, has stored them. */
export const clientAmbiguous = defineProblem(
  'clientAmbiguous',
  'failed',
  (of: { clientId: string }) => `More than one client registered for the '${of.clientId}' id`,
)

/** @throws clientAmbiguous */
export async function findClient(session: Session, clientId: string): Promise<OAuth2Client | undefined> {
  const lookup = planLookup(readDirectory(session, clientDirectory), { clientId })
  const { entries } = await directoriesSeenBy(session).search({ ...lookup, limit: 2 })
  if (entries.length > 1) throw clientAmbiguous({ clientId })
  return entries[0] && clientOf(entries[0])
}

/** In the order in which they were registered. */
export async function listClients(session: Session): Promise<readonly OAuth2Client[]> {
  const lookup = planLookup(readDirectory(session, clientDirectory), {})
  const { entries } = await directoriesSeenBy(session).search({ ...lookup, order: [{ field: 'id', isAscending: true }] })
  return entries.map(clientOf)
}

/** Where none is stored any is right, and none is, too (security 4). */
export function isClientSecret({ secret }: OAuth2Client, presented: string | undefined): boolean {
  return secret === null || (presented !== undefined && isSameText(presented, secret))
}

/** @throws clientIdTaken */
export async function addClient(session: WriteSession, registration: ClientRegistration): Promise<OAuth2Client> {
  const change = { values: valuesOf(registration), references: {} }
  return storing(registration, () => createEntry(session, readDirectory(session, clientDirectory), change))
}

/** @throws clientIdTaken */
export async function changeClient(
  session: WriteSession,
  entryId: string,
  registration: ClientRegistration,
): Promise<OAuth2Client> {
  const change = { values: valuesOf(registration), references: {} }
  return storing(registration, () => updateEntry(session, readDirectory(session, clientDirectory), entryId, change))
}

export function removeClient(session: WriteSession, entryId: string): Promise<void> {
  return deleteEntry(session, readDirectory(session, clientDirectory), entryId)
}

/**
 * What users agreed with a program goes with it, also when it gets another id: the next of that id is another program. One that is new has
 * nothing of an older one that was left.
 */
export const forgetGrantsOfRemoved = listenToEntries(
  'forgetOAuth2GrantsOfRemovedClients',
  clientDirectory,
  async ({ before, after }, session) => {
    const [old, current] = [before, after].map((entry) => entry && clientOf(entry).clientId)
    if (old === current) return
    for (const clientId of [old, current]) if (clientId) await forgetTokens(session, { clientId })
  },
)

async function storing({ clientId }: ClientRegistration, store: () => Promise<DirectoryEntry>): Promise<OAuth2Client> {
  try {
    return clientOf(await store())
  } catch (error) {
    throw entryValueTaken.is(error) ? clientIdTaken({ clientId }) : error
  }
}

function valuesOf({ clientId, name, secret, redirectUris, isAutoGrant, isEnabled }: ClientRegistration) {
  const redirectURIs = redirectUris.join(',')
  return { clientId, name, clientSecret: secret, redirectURIs, autoGrant: isAutoGrant, enabled: isEnabled }
}

function clientOf({ id, values }: DirectoryEntry): OAuth2Client {
  const text = (field: string) => {
    const value = values[field]
    return typeof value === 'string' ? value : ''
  }
  return {
    entryId: id,
    clientId: text('clientId'),
    name: text('name'),
    secret: text('clientSecret') || null,
    redirectUris: splitNames(text('redirectURIs')),
    isAutoGrant: values['autoGrant'] === true,
    // An entry that does not say is enabled, as the schema has it.
    isEnabled: values['enabled'] !== false,
  }
}
