import type { DocumentId } from '../../../model/document.ts'
import type { WriteSession } from '../../session.ts'
import { removeIfStill } from '../remove-document.ts'
import { mayRemove } from '../trash/trash-rights.ts'
import { listProxiesOf } from './remove-proxies.ts'

/** Removes every proxy of the document and of its versions that the caller may remove; gives how many. The others stay. */
export async function unpublishDocument(session: WriteSession, id: DocumentId): Promise<number> {
  let removed = 0
  for (const proxy of await listProxiesOf(session, id)) {
    if (!(await mayRemove(session, proxy))) continue
    if (await removeIfStill(session, proxy.id)) removed += 1
  }
  return removed
}
