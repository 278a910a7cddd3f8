import type { Document } from '../../../model/document.ts'
import { seenThrough } from '../../documents/proxies/proxy.ts'
import type { Session } from '../../session.ts'

/** Documents as a reader sees them, whatever proxies among them show looked up at once. @throws documentsTooLarge */
export async function throughProxies(
  session: Session,
  documents: readonly Document[],
  maxBytes?: number,
): Promise<readonly Document[]> {
  const targetIds = new Set(documents.flatMap(({ isProxy, targetId }) => (isProxy && targetId !== null ? [targetId] : [])))
  if (targetIds.size === 0) return documents
  const targets = new Map((await session.reader.documents.findAll([...targetIds], maxBytes)).map((target) => [target.id, target]))
  return documents.map((document) => {
    const target = document.isProxy ? targets.get(document.targetId ?? '') : undefined
    return target === undefined ? document : seenThrough(session.model, document, target)
  })
}
