import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { documentNotFound, readDocument } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { grant, localAclName } from '../../model/rights/acl.ts'
import type { Services } from '../../rest/services.ts'
import { getOrCreateUserWorkspace } from '../user-workspaces/index.ts'
import { storedParams } from './saved-criteria.ts'
import { type SavedSearch, storedFields } from './saved-search.ts'

export const unknownProviderSaved = defineProblem(
  'unknownProviderSaved',
  'invalid',
  (of: { name: string }) => `Could not resolve page provider with name '${of.name}'`,
)

const facet = 'SavedSearch'
const plainType = 'SavedSearch'

/** Keeps a search in the caller's own workspace. @throws unknownProviderSaved, invalidCriterion */
export async function createSavedSearch(session: WriteSession, services: Services, search: SavedSearch): Promise<Document> {
  const type = typeFor(session, findProvider(session, search))
  const { model, principal, repository } = session
  const params = storedParams(model, model.shapeOf({ type }), search.params)
  const workspace = await getOrCreateUserWorkspace(session, services)
  return createDocument(session, {
    parent: workspace,
    type,
    name: nameFrom(search.title, repository.rules.maxSegmentLength),
    properties: { ...storedFields(search), ...params },
    acls: [{ name: localAclName, aces: [grant(principal.name, 'Everything')] }],
  })
}

/** @throws documentNotFound, also for a document that is no saved search; privilegeMissing */
export async function readSavedSearch(session: Session, id: string): Promise<Document> {
  const document = await readDocument(session, id)
  if (!session.model.shapeOf(document).hasFacet(facet)) throw documentNotFound({ reference: id })
  return document
}

/** Puts another search in the place of a saved one. What is not sent is gone. */
export async function replaceSavedSearch(session: WriteSession, id: string, search: SavedSearch): Promise<Document> {
  findProvider(session, search)
  const { model } = session
  const shape = model.shapeOf(await readSavedSearch(session, id))
  return saveDocument(session, id, { ...storedFields(search), ...storedParams(model, shape, search.params) })
}

export async function removeSavedSearch(session: WriteSession, id: string): Promise<void> {
  await readSavedSearch(session, id)
  await removeDocument(session, id)
}

function findProvider(session: Session, { fields }: SavedSearch): PageProvider | undefined {
  const { pageProviderName: name } = fields
  if (name === null) return undefined
  const provider = session.repository.pageProviders.find(name)
  if (provider === undefined) throw unknownProviderSaved({ name })
  return provider
}

/** That of the provider, so that what was filled in has its fields; where it cannot be saved, a plain one. */
function typeFor({ model }: Session, provider: PageProvider | undefined): string {
  const type = provider && searchTypeOf(provider)
  return type !== undefined && model.shapeOf({ type }).hasFacet(facet) ? type : plainType
}

export function searchTypeOf({ searchDocumentType, whereClause }: PageProvider): string | undefined {
  return searchDocumentType ?? whereClause?.documentType
}
