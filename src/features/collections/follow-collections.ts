import { typedName } from '../../base/typed-name.ts'
import { systemAccess } from '../../core/access.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { defineJob } from '../../core/jobs/worker.ts'
import { compile, scopeOf } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Repository, Session, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { membershipsProperty, membersProperty } from './collection-model.ts'
import { collectedQuietly, collectionIds, membersOf, writeMemberships } from './membership.ts'

/** What has to follow a change of a collection or of a member, once that is committed. */
export type MembershipChange =
  /** The collection has the members of another one that it was made of: they are told that they are in it too. */
  | { readonly kind: 'joins'; readonly collection: DocumentId; readonly origin: DocumentId }
  /** What is no longer listed by the collection is not in it any more; when that goes, nothing is. */
  | { readonly kind: 'leaves'; readonly collection: DocumentId; readonly isRemoved?: boolean }
  /** The collection lists what is gone. */
  | { readonly kind: 'forgets'; readonly collection: DocumentId; readonly members: readonly DocumentId[] }

const jobKind = typedName<MembershipChange>('followCollections')

export async function follow({ tx, principal }: WriteSession, change: MembershipChange): Promise<void> {
  await tx.jobs.add(jobKind, change, { owner: principal.name })
}

/** Each of them bears being done twice, and what others do to the collection meanwhile. */
export const followCollections = defineJob({
  kind: jobKind,
  async run(change, repository) {
    switch (change.kind) {
      case 'joins':
        return join(repository, change)
      case 'leaves':
        return leave(repository, change)
      case 'forgets':
        return forget(repository, change)
    }
  },
})

// So many in a transaction that it is worth its commit, so few that nobody waits long for one of them.
const membersAtOnce = 50

/**
 * Only what the origin really has: a list can be written by whoever may change the collection, and would else make members of documents
 * that its writer may not even read.
 */
async function join(repository: Repository, { collection, origin }: Extract<MembershipChange, { kind: 'joins' }>): Promise<void> {
  const listed = membersOf((await repository.store.reader.documents.find(collection)) ?? nothing)
  for (let start = 0; start < listed.length; start += membersAtOnce) {
    const page = listed.slice(start, start + membersAtOnce)
    await systemAccess(repository).write(async (session) => {
      const stillListed = new Set(await listLocked(session, collection))
      for (const member of await session.tx.documents.findAll(page)) {
        const ids = collectionIds(member)
        if (!stillListed.has(member.id) || !ids.includes(origin) || ids.includes(collection)) continue
        await writeMemberships(session, member.id, (own) => (own.includes(origin) ? [...own, collection] : own))
      }
    })
  }
}

async function leave(
  repository: Repository,
  { collection, isRemoved }: Extract<MembershipChange, { kind: 'leaves' }>,
): Promise<void> {
  for (let after = 0; ; ) {
    const page = await listMembers(repository, collection, after)
    if (page.length === 0) return
    const stayed = await systemAccess(repository).write(async (session) => {
      const listed = new Set(isRemoved ? [] : await listLocked(session, collection))
      const strays = page.filter((id) => !listed.has(id))
      for (const id of strays) {
        if ((await session.tx.documents.find(id)) === undefined) continue
        await writeMemberships(session, id, (own) => own.filter((other) => other !== collection))
      }
      return page.length - strays.length
    })
    // Those that stay are found again.
    after += stayed
  }
}

async function forget(repository: Repository, change: Extract<MembershipChange, { kind: 'forgets' }>): Promise<void> {
  const gone = new Set(change.members)
  await systemAccess(repository).write(async (session) => {
    const collection = await session.tx.documents.findForUpdate(change.collection)
    if (collection === undefined) return
    const left = membersOf(collection).filter((id) => !gone.has(id))
    if (left.length < membersOf(collection).length)
      await saveDocument(session, collection.id, { [membersProperty]: left }, collectedQuietly)
  })
}

const nothing = { properties: {} } as Document

/** What the collection lists now and until the transaction ends; nothing once it is gone. */
async function listLocked(session: WriteSession, collection: DocumentId): Promise<readonly DocumentId[]> {
  const found = await session.tx.documents.findForUpdate(collection)
  return found === undefined ? [] : membersOf(found)
}

/** In the order of their creation. Served by the index of listed values. */
async function listMembers(repository: Repository, collection: DocumentId, offset: number): Promise<readonly DocumentId[]> {
  const text = `SELECT * FROM Document WHERE ${membershipsProperty}/* = ${quoted(collection)}`
  return systemAccess(repository).read(async (session: Session) => {
    const query = compile(session, text)
    return session.reader.search.listIds(query, await scopeOf(session, query), { offset, limit: membersAtOnce })
  })
}
