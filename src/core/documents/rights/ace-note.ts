import type { Document, DocumentId } from '../../../model/document.ts'
import { aceId } from '../../../model/rights/ace-id.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import type { Session, WriteSession } from '../../session.ts'
import { requireShortRemark } from '../../short-text.ts'

/** What is stored beside an entry, and is no part of it: whether its user is to be told, and what the giver had to say. */
export interface AceNote {
  readonly notify: boolean
  readonly comment: string | null
}

/** A note with the entry it is about. */
export interface PlacedAceNote extends AceNote {
  readonly aclName: string
  readonly aceId: string
}

/** Notes stand in the repository of their document, so that they are written and taken away with its entries. */
export const aceInfoDirectory = 'aceinfo'

export async function findAceNote(
  session: Session,
  document: Document,
  aclName: string,
  aceId: string,
): Promise<AceNote | undefined> {
  const entry = await session.reader.directories.find(aceInfoDirectory, aceInfoId(document, aclName, aceId))
  if (entry === undefined) return undefined
  const { notify, comment } = entry.values
  return { notify: notify === true, comment: typeof comment === 'string' ? comment : null }
}

/** @throws textTooLong */
export async function storeAceNote(
  session: WriteSession,
  document: Document,
  { aclName, aceId, notify, comment: said }: PlacedAceNote,
): Promise<void> {
  const comment = said === null ? null : requireShortRemark(said)
  const id = aceInfoId(document, aclName, aceId)
  const { repository: repositoryName, id: docId } = document
  const entry: DirectoryEntry = { id, values: { id, repositoryName, docId, aclName, aceId, notify, comment } }
  const { directories } = session.tx
  if (!(await directories.insert(aceInfoDirectory, entry))) await directories.update(aceInfoDirectory, entry)
}

/** Takes the notes away that stand beside all entries of these ACLs. */
export async function dropAceNotes(
  session: WriteSession,
  owners: readonly { readonly documentId: DocumentId; readonly acls: readonly Acl[] }[],
): Promise<void> {
  const repository = session.repository.name
  const ids = owners.flatMap(({ documentId: id, acls }) =>
    acls.flatMap(({ name, aces }) => aces.map((ace) => aceInfoId({ id, repository }, name, aceId(ace)))),
  )
  await session.tx.directories.removeAll(aceInfoDirectory, ids)
}

function aceInfoId({ id, repository }: Pick<Document, 'id' | 'repository'>, aclName: string, aceId: string): string {
  return [id, repository, aclName, aceId].join(':')
}
