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
import { requireDocumentProvider } from '../search/index.ts'
import { getOrCreateUserWorkspace } from '../user-workspaces/index.ts'
import { namesCriteria, storedParams } from './saved-criteria.ts'
import { namedParams, readFields, type SavedFields, type SavedSearch, storedFields } from './saved-search.ts'

export const unknownProviderSaved = defineProblem(
  'unknownProviderSaved',
  'invalid',
  (of: { name: string }) => `Could not resolve page provider with name '${of.name}'`,
)

const facet = 'SavedSearch'
const plainType = 'SavedSearch'

/** Keeps a search in the caller's own workspace. @throws unknownProviderSaved, givesNoDocuments, invalidCriterion */
export async function createSavedSearch(session: WriteSession, services: Services, search: SavedSearch): Promise<Document> {
  const { model, principal, repository } = session
  const searchType = findSearchType(session, services, search)
  const type = typeFor(session, searchType)
  const params = storedParams(model, { shape: model.shapeOf({ type }), searchType }, search.params ?? {})
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

/**
 * Puts another search in the place of a saved one. Fields that are not sent are gone, but as long as it is run by the same provider or
 * query its parameters stay while none are sent, and its criteria while none of them are: answers show those only to who asks for them,
 * and a search that is sent back under another title must not find more than before.
 */
export async function replaceSavedSearch(
  session: WriteSession,
  services: Services,
  id: string,
  search: SavedSearch,
): Promise<Document> {
  const { model } = session
  const searchType = findSearchType(session, services, search)
  const saved = await readSavedSearch(session, id)
  const place = { shape: model.shapeOf(saved), searchType }
  const { params = {} } = search
  const { [namedParams]: named = null, ...criteria } = storedParams(model, place, params)
  const isSame = isSameSearch(readFields(saved), search.fields)
  const keepsNamed = isSame && search.params === undefined
  const keepsCriteria = isSame && saved.type === searchType && !namesCriteria(model, place, params)
  return saveDocument(session, id, {
    ...storedFields(search),
    ...(!keepsNamed && { [namedParams]: named }),
    ...(!keepsCriteria && criteria),
  })
}

function isSameSearch(before: SavedFields, after: SavedFields): boolean {
  return before.pageProviderName === after.pageProviderName && before.query === after.query
}

export async function removeSavedSearch(session: WriteSession, id: string): Promise<void> {
  await readSavedSearch(session, id)
  await removeDocument(session, id)
}

/** @throws unknownProviderSaved, givesNoDocuments */
function findSearchType(session: Session, { entityProviders }: Services, { fields }: SavedSearch): string | undefined {
  const { pageProviderName: name } = fields
  if (name === null) return undefined
  const provider = entityProviders.get(name) ?? session.repository.pageProviders.find(name)
  if (provider === undefined) throw unknownProviderSaved({ name })
  return searchTypeOf(requireDocumentProvider(provider))
}

/** That of the provider, so that what was filled in has its fields; where it cannot be saved, a plain one. */
function typeFor({ model }: Session, type: string | undefined): string {
  return type !== undefined && model.shapeOf({ type }).hasFacet(facet) ? type : plainType
}

export function searchTypeOf({ searchDocumentType, whereClause }: PageProvider): string | undefined {
  return searchDocumentType ?? whereClause?.documentType
}
