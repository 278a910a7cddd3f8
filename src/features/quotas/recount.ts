import { typedName } from '../../base/typed-name.ts'
import { systemAccess } from '../../core/access.ts'
import { store } from '../../core/documents/read-for-update.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import { defineJob } from '../../core/jobs/worker.ts'
import type { WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { countSizes } from './count-sizes.ts'
import { findFolder, listFoldersAt, listFoldersBelow, listUnnoted, noteShown, setSizes } from './quota-folders.ts'
import { withStatistics } from './set-quota.ts'
import { pathsDownTo } from './sizes.ts'

/** What clients are told of a recount. */
export type RecountStatus = 'Queued' | 'InProgress' | 'Completed'

/** Of what is below the path, and of the folders that it is in. */
type Recount = { readonly path: string; readonly after?: string }

export const recountKind = typedName<Recount>('recountQuotas')

/** Folders whose counters a recount of the path sets, the innermost last. */
async function listRecounted({ reader: { tables } }: Pick<WriteSession, 'reader'>, path: string) {
  return [...(await listFoldersAt(tables, pathsDownTo(path))), ...(await listFoldersBelow(tables, path))]
}

/** Has everything at and below the path counted anew, by a job. One that has not begun yet does for both who asked. */
export async function orderRecount(session: WriteSession, path: string): Promise<RecountStatus> {
  const { tx, principal } = session
  if ((await listRecounted(session, path)).length === 0) return 'Completed'
  const pending = await tx.jobs.list({ kind: recountKind }, mostPending)
  const same = pending.find(({ payload, state }) => (payload as Recount).path === path && state !== 'parked')
  if (same?.state === 'running') return 'InProgress'
  if (same === undefined) await tx.jobs.add(recountKind, { path }, { owner: principal.name })
  return 'Queued'
}

const mostPending = 1_000

/** Each folder in a transaction of its own, in which nobody else writes below it. */
export const recountJob = defineJob({
  kind: recountKind,
  isBulk: true,
  async run({ path, after = '' }, repository, signal, progress) {
    const access = systemAccess(repository)
    const folders = await access.read((session) => listRecounted(session, path))
    const left = folders.map(({ id }) => id).filter((id) => id > after)
    for (const id of left.sort()) {
      signal.throwIfAborted()
      await access.write(async (session) => {
        await recount(session, id)
        await progress.note(session.tx, { path, after: id })
      })
    }
  },
})

/** Counts what a folder holds as if nobody had. */
export async function recount(session: WriteSession, id: DocumentId): Promise<void> {
  const { documents, tables } = session.tx
  const document = await documents.findForUpdate(id)
  if (document === undefined || document.path === null) return
  await documents.lockSubtree(document.path)
  await setSizes(tables, id, await countSizes(session, document.path))
}

const foldersAtOnce = 100

/**
 * Writes what was counted into the properties of folders, for searches and lists: with each file that is added a folder would be
 * written, and whoever edits it refused.
 */
export const noteStatistics: Schedule = {
  name: 'quotaStatistics',
  everySeconds: 600,
  async run(session) {
    for (const id of await listUnnoted(session.tx.tables, foldersAtOnce)) await noteOne(session, id)
  },
}

export async function noteOne(session: WriteSession, id: DocumentId): Promise<void> {
  const { documents, tables } = session.tx
  const document = await documents.findForUpdate(id)
  const folder = await findFolder(tables, id)
  if (document === undefined || folder === undefined) return
  await store(session, document, withStatistics(document, folder.max, folder.sizes))
  await noteShown(tables, id, folder.sizes)
}
