import { setTimeout as delay } from 'node:timers/promises'
import type { DocumentId } from '../../../model/document.ts'
import type { Store } from '../../../store/store.ts'
import { systemAccess } from '../../access.ts'
import type { Repository } from '../../session.ts'
import { removePermission } from './remove-permission.ts'

// Each rewrites the rights of all below it: few enough that no transaction waits long.
const changedAtOnce = 20

/**
 * Takes all entries that name a user or group, whom nobody finds any more, from the documents of a repository. A transaction that found
 * the name before, or copies what names it, may still be under way: what such ones commit is taken away as well. Bears being done twice.
 * @param signal ends the wait for them, by throwing
 */
export async function removeRightsOf(repository: Repository, name: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const kept = await removeStored(repository, name)
    await untilWritersEnd(repository.store, signal)
    const ids = await repository.store.reader.acps.listNaming(name, changedAtOnce)
    if (ids.every((id) => kept.has(id))) return
  }
}

/** Gives what a listener keeps from being changed, which would be found for ever. */
async function removeStored(repository: Repository, name: string): Promise<ReadonlySet<DocumentId>> {
  const changed = new Set<DocumentId>()
  for (;;) {
    const ids = await systemAccess(repository).write(async (session) => {
      const { acps, documents } = session.tx
      // Looked for here, where an engine with one writer has no other transaction under way.
      const naming = await acps.listNaming(name, changedAtOnce)
      for (const id of naming.filter((one) => !changed.has(one))) {
        if ((await documents.findForUpdate(id)) !== undefined)
          await removePermission(session, id, { user: name, inEveryAcl: true })
      }
      return naming
    })
    if (ids.every((id) => changed.has(id))) return new Set(ids)
    for (const id of ids) changed.add(id)
  }
}

const lookEveryMillis = 25

/** Waits for the transactions that lock or write documents now, in whichever process: all that read entries to write them do. */
async function untilWritersEnd({ writersOf }: Store, signal: AbortSignal): Promise<void> {
  for (let waited = await writersOf('documents'); waited.length > 0; ) {
    await delay(lookEveryMillis, undefined, { signal })
    const now = new Set(await writersOf('documents'))
    waited = waited.filter((writer) => now.has(writer))
  }
}
