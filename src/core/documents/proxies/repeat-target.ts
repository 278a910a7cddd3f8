import type { Document } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { WriteSession } from '../../session.ts'
import { shownProperties } from './proxy.ts'

/**
 * The row of a proxy that points to the target. It repeats what it shows, beside what it keeps itself: whoever looks at rows
 * only, as queries do, finds a proxy by the values of its target.
 */
export function repeating(model: Model, proxy: Document, target: Document): Document {
  const { type, facets, state, majorVersion, minorVersion, versionCreated, versionComment } = target
  return {
    ...proxy,
    targetId: target.id,
    seriesId: target.seriesId ?? target.id,
    type,
    facets,
    state,
    majorVersion,
    minorVersion,
    versionCreated,
    versionComment,
    isLatestVersion: target.isLatestVersion,
    isLatestMajorVersion: target.isLatestMajorVersion,
    properties: shownProperties(model, proxy, target),
  }
}

/** A proxy that is about to be written, with what its target is now; that stays so until the proxy is there to be told. */
export async function withTarget(session: WriteSession, proxy: Document): Promise<Document> {
  const { documents } = session.tx
  const target = proxy.targetId === null ? undefined : await documents.find(proxy.targetId)
  const locked = target && (await documents.findForShare(target))
  return locked === undefined ? proxy : repeating(session.model, proxy, locked)
}

/**
 * Has all proxies of a document, which was just written, repeat what it is now. Nothing about themselves has changed, so they keep
 * their tokens.
 */
export async function repeatTarget(session: WriteSession, target: Document): Promise<void> {
  const { documents } = session.tx
  for (const { id } of await documents.listProxiesTo(target.id)) {
    const proxy = await documents.findForUpdate(id)
    if (proxy?.targetId === target.id) await documents.update(proxy, repeating(session.model, proxy, target))
  }
}
