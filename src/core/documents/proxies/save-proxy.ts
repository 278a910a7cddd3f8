import { changedMeanwhile, type Document, matchesChangeToken, splitProxyChangeToken } from '../../../model/document.ts'
import { changedNames, type Properties } from '../../../model/properties/property.ts'
import { sanitised } from '../../../model/properties/value-bounds.ts'
import { announce, offer } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readTargetForUpdate, requireRightAt, requireRightAtPlace, store } from '../read-for-update.ts'
import { requireValid } from '../require-valid.ts'
import { type ChangedContent, saveEvent, saveStored } from '../save-stored.ts'
import { seenThrough, shapeSeen, splitByOwner, throughProxy } from './proxy.ts'

/**
 * Saves through a proxy that is held: what it keeps itself on its own row, by the right at its place, and everything else in what
 * it points to, by the right there as well. Gives the proxy as it is seen then.
 */
export async function saveThroughProxy(
  session: WriteSession,
  proxy: Document,
  contentFor: (seen: Document) => ChangedContent,
  options: SaveOptions,
): Promise<Document> {
  const target = await readTargetForUpdate(session, proxy)
  await requireRightAtPlace(session, proxy, target, 'WriteProperties')
  const seen = seenThrough(session.model, proxy, target)
  const { properties, ...facets } = contentFor(seen)
  const { own, shown } = splitByOwner(session.model, target, properties)
  const isOnlyOwn = Object.keys(own).length > 0 && Object.keys(shown).length === 0 && facets.facets === undefined
  if (!isOnlyOwn) await requireRightAt(session, proxy, target, 'WriteProperties')
  const optionsOfTarget = requireCurrentPair(session, seen, options)
  const written = isOnlyOwn ? target : await saveStored(session, target, { properties: shown, ...facets }, optionsOfTarget)
  const stored = Object.keys(own).length === 0 ? proxy : await saveOwn(session, proxy, written, own, options)
  return throughProxy(session, stored)
}

/** Both halves of the token are compared here, so that a conflict names what was addressed; the second one is the target's. */
function requireCurrentPair({ repository }: WriteSession, seen: Document, options: SaveOptions): SaveOptions {
  const { changeToken } = options
  if (changeToken === undefined || !repository.rules.changeTokens) return options
  const { own, target } = splitProxyChangeToken(changeToken)
  const isCurrent =
    matchesChangeToken(own, seen.proxyChangeToken ?? seen.changeToken) && matchesChangeToken(target, seen.changeToken)
  if (!isCurrent) throw changedMeanwhile({ id: seen.id })
  return { ...options, changeToken: target }
}

async function saveOwn(
  session: WriteSession,
  proxy: Document,
  target: Document,
  changes: Properties,
  options: SaveOptions,
): Promise<Document> {
  const { model } = session
  const before = seenThrough(model, proxy, target)
  const proposed = { ...before, properties: { ...before.properties, ...(sanitised(changes) as Properties) } }
  const isDirty = changedNames(before.properties, proposed.properties).size > 0
  const offered = await offer(session, 'beforeDocumentModification', proposed, saveEvent(before, proposed, isDirty, options))
  // Whatever else a listener changed is the target's, and not what is being saved here.
  const properties = sanitised(splitByOwner(model, target, offered.properties).own) as Properties
  const changed = changedNames(splitByOwner(model, target, proxy.properties).own, properties)
  await requireValid(session, { ...offered, facets: shapeSeen(model, offered).facets, properties }, options, changed)
  const stored =
    changed.size === 0 ? proxy : await store(session, proxy, { ...proxy, properties }, options.changeToken !== undefined)
  const saved = seenThrough(model, stored, target)
  await announce(session, 'documentModified', saved, saveEvent(before, saved, isDirty, options))
  return stored
}
