import { type BlobSource, type FlowingBlob, storedBlob } from '../../../automation/values/flowing-blob.ts'
import { documentsValue, type Value } from '../../../automation/values/value.ts'
import { type Repositories, readBulk, sessionOfBulk } from '../../../core/bulk/bulk-commands.ts'
import { findReadable, readDocument } from '../../../core/documents/read-document.ts'
import type { ProviderPage } from '../../../core/search/page/provider-page.ts'
import type { Repository, Session } from '../../../core/session.ts'
import type { DocumentId } from '../../../model/document.ts'
import type { BlobValue } from '../../../model/properties/property.ts'

/** A value as it is stored for a client that asks later: what is in the store by its id, files by their keys. */
export type StoredValue =
  | Exclude<Value, { kind: 'document' | 'documents' | 'blob' | 'blobs' | 'list' | 'map' | 'bulkStatus' }>
  | { readonly kind: 'document'; readonly id: DocumentId }
  | { readonly kind: 'documents'; readonly ids: readonly DocumentId[]; readonly found?: StoredPage }
  | { readonly kind: 'blob'; readonly blob: StoredBlob }
  | { readonly kind: 'blobs'; readonly blobs: readonly StoredBlob[] }
  | { readonly kind: 'list'; readonly items: readonly StoredValue[] }
  | { readonly kind: 'map'; readonly members: { readonly [name: string]: StoredValue }; readonly isOrdered?: true }
  | { readonly kind: 'bulkStatus'; readonly commandId: string }

type StoredPage = Pick<ProviderPage, 'page' | 'aggregates' | 'quickFilters'>

interface StoredBlob {
  readonly blob: BlobValue
  readonly source?: StoredSource
  readonly furtherSources?: readonly StoredSource[]
}

interface StoredSource {
  readonly id: DocumentId
  readonly xpath: string
}

/** Files that are in no store yet are stored. */
export async function storeValue(repository: Repository, value: Value): Promise<StoredValue> {
  switch (value.kind) {
    case 'document':
      return { kind: 'document', id: value.document.id }
    case 'documents': {
      const { documents, found } = value
      return { kind: 'documents', ids: documents.map(({ id }) => id), ...(found !== undefined && { found: storePage(found) }) }
    }
    case 'blob':
      return { kind: 'blob', blob: await storeBlob(repository, value.blob) }
    case 'blobs':
      return { kind: 'blobs', blobs: await mapInOrder(value.blobs, (blob) => storeBlob(repository, blob)) }
    case 'list':
      return { kind: 'list', items: await mapInOrder(value.items, (item) => storeValue(repository, item)) }
    case 'map':
      return { ...value, members: await mapMembers(value.members, (member) => storeValue(repository, member)) }
    case 'bulkStatus':
      return { kind: 'bulkStatus', commandId: value.status.command.id }
    default:
      return value
  }
}

function storePage({ page, aggregates, quickFilters }: ProviderPage): StoredPage {
  return { page, aggregates, quickFilters }
}

async function storeBlob(repository: Repository, file: FlowingBlob): Promise<StoredBlob> {
  const { source, furtherSources } = file
  return {
    blob: await storedBlob(repository, file),
    ...(source !== undefined && { source: storeSource(source) }),
    ...(furtherSources !== undefined && { furtherSources: furtherSources.map(storeSource) }),
  }
}

function storeSource({ document, xpath }: BlobSource): StoredSource {
  return { id: document.id, xpath }
}

/** The value again, as far as the caller may see it. @throws documentNotFound, privilegeMissing, bulkCommandNotFound */
export async function restoreValue(session: Session, repositories: Repositories, stored: StoredValue): Promise<Value> {
  switch (stored.kind) {
    case 'document':
      return { kind: 'document', document: await readDocument(session, stored.id) }
    case 'documents': {
      const found = await mapInOrder(stored.ids, (id) => findReadable(session, id))
      const documents = found.filter((document) => document !== undefined)
      return documentsValue(documents, stored.found && { ...stored.found, documents })
    }
    case 'blob':
      return { kind: 'blob', blob: await restoreBlob(session, stored.blob) }
    case 'blobs':
      return { kind: 'blobs', blobs: await mapInOrder(stored.blobs, (blob) => restoreBlob(session, blob)) }
    case 'list':
      return { kind: 'list', items: await mapInOrder(stored.items, (item) => restoreValue(session, repositories, item)) }
    case 'map':
      return { ...stored, members: await mapMembers(stored.members, (member) => restoreValue(session, repositories, member)) }
    case 'bulkStatus': {
      const there = await sessionOfBulk(session, repositories, stored.commandId)
      return { kind: 'bulkStatus', status: await readBulk(there, stored.commandId) }
    }
    default:
      return stored
  }
}

async function restoreBlob(session: Session, { blob, source, furtherSources = [] }: StoredBlob): Promise<FlowingBlob> {
  if (source === undefined) return { blob }
  const further = await mapInOrder(furtherSources, (one) => restoreSource(session, one))
  return { blob, source: await restoreSource(session, source), ...(further.length > 0 && { furtherSources: further }) }
}

async function restoreSource(session: Session, { id, xpath }: StoredSource): Promise<BlobSource> {
  return { document: await readDocument(session, id), xpath }
}

async function mapInOrder<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await act(item))
  return results
}

async function mapMembers<Member, Result>(
  members: { readonly [name: string]: Member },
  act: (member: Member) => Promise<Result>,
): Promise<{ readonly [name: string]: Result }> {
  const acted = await mapInOrder(Object.entries(members), async ([name, member]) => [name, await act(member)] as const)
  return Object.fromEntries(acted)
}
