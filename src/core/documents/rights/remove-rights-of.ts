import { systemAccess } from '../../access.ts'
import type { Repository } from '../../session.ts'
import { removePermission } from './remove-permission.ts'

// Each rewrites the rights of all below it: few enough that no transaction waits long.
const changedAtOnce = 20

/** Takes all entries that name a user or group from the documents of a repository. Bears being done twice. */
export async function removeRightsOf(repository: Repository, name: string): Promise<void> {
  const changed = new Set<string>()
  for (;;) {
    const ids = await repository.store.reader.acps.listNaming(name, changedAtOnce)
    // What a listener keeps from being changed would be found for ever.
    if (ids.every((id) => changed.has(id))) return
    await systemAccess(repository).write(async (session) => {
      const { documents } = session.tx
      for (const id of ids) {
        if ((await documents.findForUpdate(id)) !== undefined)
          await removePermission(session, id, { user: name, inEveryAcl: true })
      }
    })
    for (const id of ids) changed.add(id)
  }
}
