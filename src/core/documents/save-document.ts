import { changedMeanwhile, type Document, matchesChangeToken, splitProxyChangeToken } from '../../model/document.ts'
import { allowedTransitions } from '../../model/lifecycle.ts'
import type { Model } from '../../model/model.ts'
import { requireFacetsChangeable, withOwnFacets } from '../../model/own-facets.ts'
import { changedNames, changesBlob, type Properties, sameValue } from '../../model/properties/property.ts'
import { sanitised } from '../../model/properties/value-bounds.ts'
import type { SaveFacts } from '../../model/versioning.ts'
import { announce, type EventDetails, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { readFolderForInsertById } from './folder-for-insert.ts'
import { takeTransition } from './lifecycle/lifecycle-step.ts'
import { placeAt } from './place/place-document.ts'
import { announceProxyUpdates, seenThrough, shapeSeen, splitByOwner, throughProxy } from './proxies/proxy.ts'
import {
  readStoredForUpdate,
  readTargetForUpdate,
  requireRightAt,
  requireRightAtPlace,
  type StoredDocument,
  store,
  storeRepeated,
} from './read-for-update.ts'
import { requireWritableOnRecord } from './records/record-write.ts'
import { requireValid, withCleanHtml } from './require-valid.ts'
import { checkIn } from './versions/check-in.ts'
import { checkOut } from './versions/check-out.ts'
import { findPolicyBefore, policyFacts, requireSaveOption, versionAfterSave } from './versions/version-on-save.ts'
import { requireFacetsStay, requireWritableOnVersion } from './versions/version-write.ts'

/** The new values by property name, made from the document as it is now. Null unsets; what is absent stays. */
export type PropertyChanges = Properties | ((current: Document) => Properties)

/** Writes changed properties of a document, versioning it as asked or as the policies say. A proxy is written through. */
export function saveDocument(
  session: WriteSession,
  id: string,
  changes: PropertyChanges,
  options: SaveOptions = {},
): Promise<Document> {
  return saveContent(session, id, (current) => ({ properties: changesFor(current, changes) }), options)
}

/** The same where the facets that are the document's own may change too. */
export async function saveContent(
  session: WriteSession,
  id: string,
  contentFor: (current: Document) => ChangedContent,
  options: SaveOptions = {},
): Promise<Document> {
  const document = await readStoredForUpdate(session, id)
  if (document.isProxy) return saveThroughProxy(session, document, contentFor, options)
  await requirePermission(session, document, 'WriteProperties')
  return await saveStored(session, document, contentFor(document), options)
}

export function changesFor(current: Document, changes: PropertyChanges): Properties {
  return typeof changes === 'function' ? changes(current) : changes
}

/** What a save changes. */
export interface ChangedContent {
  /** By name. Null unsets; what is absent stays. */
  readonly properties: Properties
  /** All facets that are to be the document's own; absent, they stay. */
  readonly facets?: readonly string[]
}

/**
 * Saves a document that is locked for this transaction and that the caller may write. What happens when is the contract with
 * listeners: they see the document before it is validated, and a version of it once it is written (contract: core-model 8.3).
 */
async function saveStored(
  session: WriteSession,
  before: Document,
  content: ChangedContent,
  options: SaveOptions,
): Promise<Document> {
  if (content.facets !== undefined) requireFacetsChangeable(session.model, session.principal, before.facets, content.facets)
  const proposed = withContent(session.model, before, content)
  const isDirty = changedNames(before.properties, proposed.properties).size > 0 || !sameValue(before.facets, proposed.facets)
  const offered = await offer(session, 'beforeDocumentModification', proposed, saveEvent(before, proposed, isDirty, options))
  const after = await withCleanHtml(session, { ...offered, properties: sanitised(offered.properties) as Properties }, before)
  const changed = changedNames(before.properties, after.properties)
  await requireValid(session, after, options, changed)
  const placed = await rename(session, before, after.name)
  const facts = { before, after, changed, ...policyFacts(options) }
  const { document: saved, proxyIds } = await writeAndVersion(session, placed, facts, options)
  await announce(session, 'documentModified', saved, saveEvent(before, saved, isDirty, options))
  await announceProxyUpdates(session, saved, proxyIds)
  // Whoever was told of it may have begun its retention, or extended it.
  return saved.isRecord ? readStoredForUpdate(session, saved.id) : saved
}

function withContent(model: Model, before: Document, { properties, facets }: ChangedContent): Document {
  const faceted = facets === undefined ? before : withOwnFacets(model, before, facets)
  return { ...faceted, properties: { ...faceted.properties, ...(sanitised(properties) as Properties) } }
}

/** What the events of a save tell. */
function saveEvent(before: Document, after: Document, documentIsDirty: boolean, options: SaveOptions): EventDetails {
  const properties = { previousDocumentModel: before, documentIsDirty, destinationName: after.name }
  // Nothing changed, so there is nothing to tell an auditor.
  return { properties, options: documentIsDirty ? options : { ...options, audit: false }, comment: options.comment ?? null }
}

/** A listener may have given the document another name. What has no place has no name to change. */
async function rename(session: WriteSession, document: Document, name: string): Promise<Document> {
  if (name === document.name || document.parentId === null) return document
  return placeAt(session, document, await readFolderForInsertById(session, document.parentId), name)
}

async function writeAndVersion(
  session: WriteSession,
  placed: Document,
  facts: SaveFacts,
  options: SaveOptions,
): Promise<StoredDocument> {
  const isChanged = facts.changed.size > 0 || !sameValue(facts.after.facets, placed.facets)
  const current = await versionBefore(session, placed, facts, options)
  if (!current.isVersion) requireSaveOption(session, current, options)
  const opened = isChanged ? await openForChange(session, current, options) : current
  requireCurrent(session, placed, options)
  const written = isChanged
    ? await write(session, opened, facts, options)
    : { document: opened, proxyIds: await session.tx.documents.listProxyIds(opened.id) }
  return { ...written, document: await versionAfterSave(session, { ...facts, after: written.document }, options) }
}

/** A policy may want what is about to be overwritten kept as a version: it is checked in and opened again. */
async function versionBefore(
  session: WriteSession,
  document: Document,
  facts: SaveFacts,
  options: SaveOptions,
): Promise<Document> {
  if (document.isVersion || document.isRecord || document.isCheckedIn) return document
  if (options.versioning !== undefined && facts.changed.size === 0) return document
  const policy = findPolicyBefore(session, facts)
  if (policy === undefined) return document
  // The comment is about the change, and this version is what was there before it.
  const { comment: _, ...quiet } = options
  const { live } = await checkIn(session, document, policy.increment, quiet)
  return checkOut(session, live, quiet)
}

/** A checked-in document is checked out when it changes; one that was approved or obsolete becomes a project again. */
async function openForChange(session: WriteSession, document: Document, options: SaveOptions): Promise<Document> {
  if (!document.isCheckedIn || document.isVersion || options.checkout === false) return document
  const checkedOut = await checkOut(session, document, options)
  const isSettled = checkedOut.state === 'approved' || checkedOut.state === 'obsolete'
  const canReopen = allowedTransitions(session.model.lifecycleOf(checkedOut.type), checkedOut.state).includes('backToProject')
  return isSettled && canReopen ? takeTransition(session, checkedOut, 'backToProject', options) : checkedOut
}

/**
 * Of two writers one learns of the other: its row is locked, so what it was read with is what it is. Only the part behind the
 * dash is compared, and that part nothing but a user's change has raised.
 */
function requireCurrent({ repository }: WriteSession, { id, changeToken }: Document, options: SaveOptions): void {
  if (options.changeToken === undefined || !repository.rules.changeTokens) return
  if (!matchesChangeToken(options.changeToken, changeToken)) throw changedMeanwhile({ id })
}

async function write(session: WriteSession, opened: Document, facts: SaveFacts, options: SaveOptions): Promise<StoredDocument> {
  const { after, changed } = facts
  if (opened.isVersion && !options.versionWrite) {
    requireWritableOnVersion(session.model, changed)
    requireFacetsStay(opened, after)
  }
  if (opened.isRecord) requireWritableOnRecord(opened, changed, session.now)
  const isUserChange =
    options.changeToken !== undefined || (!options.isDerived && changesBlob(opened.properties, after.properties, changed))
  return storeRepeated(session, opened, { ...opened, facets: after.facets, properties: after.properties }, isUserChange)
}

/**
 * Saves through a proxy whose row is locked: what is its own on its own row, by the right at its place, and everything else in
 * what it points to, by the right there as well. Gives the proxy as it is seen then.
 */
async function saveThroughProxy(
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
  // Own values that are sent as they are still say what is meant, but a version that is asked for is one of the target.
  const changesOwn = Object.entries(own).some(([name, value]) => !sameValue(seen.properties[name], value))
  const saysOwn = changesOwn || (Object.keys(own).length > 0 && options.versioning === undefined)
  const isOnlyOwn = saysOwn && Object.keys(shown).length === 0 && facets.facets === undefined
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
