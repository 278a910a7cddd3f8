import type { Document } from '../../../model/document.ts'
import { announce } from '../../event.ts'
import type { WriteSession } from '../../session.ts'
import { seenThrough } from './proxy.ts'

/** Announces every proxy that shows the saved document as it is. What a proxy to a version shows does not change. */
export async function announceProxyUpdates(session: WriteSession, saved: Document): Promise<void> {
  if (saved.isVersion) return
  for (const proxy of await session.tx.documents.listProxiesTo(saved.id)) {
    await announce(session, 'documentProxyUpdated', seenThrough(session.model, proxy, saved))
  }
}
