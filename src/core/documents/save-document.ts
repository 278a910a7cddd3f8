import { changedMeanwhile, matchesChangeToken } from '../../model/change-token.ts'
import type { Document } from '../../model/document.ts'
import { allowedTransitions } from '../../model/lifecycle.ts'
import { type Properties, type PropertyValue, sameValue } from '../../model/property.ts'
import { sanitised } from '../../model/sanitise.ts'
import type { Shape } from '../../model/shape.ts'
import type { SaveFacts } from '../../model/versioning.ts'
import { announce, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { checkIn } from './check-in.ts'
import { checkOut } from './check-out.ts'
import { followTransition } from './follow-transition.ts'
import { documentNotFound } from './read-document.ts'
import { requireWritableOnRecord } from './record-write.ts'
import { requireValid } from './require-valid.ts'
import { store } from './store-change.ts'
import { findPolicyBefore, policyFacts, requireVersioningAllowed, versionAfterSave } from './version-on-save.ts'
import { requireWritableOnVersion } from './version-write.ts'

/** The new values by property name, made from the document as it is now. Null unsets; what is absent stays. */
export type Changes = Properties | ((current: Document) => Properties)

/** Writes changed properties of a document, versioning it as asked or as the policies say. */
export async function saveDocument(
  session: WriteSession,
  id: string,
  changes: Changes,
  options: SaveOptions = {},
): Promise<Document> {
  const before = await holdForChange(session, id, options)
  const proposed = withChanges(before, typeof changes === 'function' ? changes(before) : changes)
  const isDirty = changedNames(before, proposed).size > 0
  const offered = await offer(session, 'beforeDocumentModification', proposed, eventOf(before, proposed, isDirty, options))
  const after = { ...offered, properties: sanitised(offered.properties) as Properties }
  const changed = changedNames(before, after)
  requireVersioningAllowed(session, after, options)
  if (before.isVersion && !options.versionWrite) requireWritableOnVersion(session.model, changed)
  requireWritableOnRecord(before, changed, session.now)
  await requireValid(session, after, changed)
  const facts = { before, after, changed, ...policyFacts(options) }
  const saved = await writeAndVersion(session, before, facts, options)
  await announce(session, 'documentModified', saved, eventOf(before, saved, isDirty, options))
  return saved
}

/** Reads the document for change; the token is compared here, under the lock, so that of two writers one learns of the other. */
async function holdForChange(session: WriteSession, id: string, options: SaveOptions): Promise<Document> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, document, 'WriteProperties')
  const { changeToken } = options
  if (
    changeToken !== undefined &&
    session.repository.rules.changeTokens &&
    !matchesChangeToken(changeToken, document.changeToken)
  ) {
    throw changedMeanwhile({ id })
  }
  return document
}

function withChanges(before: Document, changes: Properties): Document {
  return { ...before, properties: { ...before.properties, ...changes } }
}

function changedNames(before: Document, after: Document): ReadonlySet<string> {
  const changed = new Set<string>()
  const names = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)])
  for (const name of names) {
    if (!sameValue(before.properties[name], after.properties[name])) changed.add(name)
  }
  return changed
}

function eventOf(before: Document, after: Document, documentIsDirty: boolean, options: SaveOptions) {
  const properties = { previousDocumentModel: before, documentIsDirty, destinationName: after.name }
  // Nothing changed, so there is nothing to tell an auditor.
  return { properties, options: documentIsDirty ? options : { ...options, audit: false }, comment: options.comment ?? null }
}

async function writeAndVersion(
  session: WriteSession,
  before: Document,
  facts: SaveFacts,
  options: SaveOptions,
): Promise<Document> {
  const { after, changed } = facts
  const stored = await versionBefore(session, before, facts, options)
  if (changed.size === 0) return versionAfterSave(session, { ...facts, after: { ...after, ...systemPart(stored) } }, options)
  const opened = await openForChange(session, stored, options)
  const isUserChange = options.changeToken !== undefined || changesBlob(session.model.shapeOf(after), before, after, changed)
  const written = await store(session, opened, { ...after, ...systemPart(opened) }, isUserChange)
  return versionAfterSave(session, { ...facts, after: written }, options)
}

/** A policy may want what is about to be overwritten kept as a version: it is checked in and opened again. */
async function versionBefore(session: WriteSession, before: Document, facts: SaveFacts, options: SaveOptions): Promise<Document> {
  const isOpen = !before.isVersion && !before.isProxy && !before.isRecord && !before.isCheckedIn
  if (!isOpen || (options.versioning !== undefined && facts.changed.size === 0)) return before
  const policy = findPolicyBefore(session, facts)
  if (policy === undefined) return before
  const { live } = await checkIn(session, before, policy.increment, options)
  return checkOut(session, live, options)
}

/** A checked-in document is checked out when it changes; one that was approved or obsolete becomes a project again. */
async function openForChange(session: WriteSession, document: Document, options: SaveOptions): Promise<Document> {
  if (!document.isCheckedIn || document.isVersion || options.checkout === false) return document
  const checkedOut = await checkOut(session, document, options)
  const isSettled = checkedOut.state === 'approved' || checkedOut.state === 'obsolete'
  const canReopen = allowedTransitions(session.model.lifecycleOf(checkedOut.type), checkedOut.state).includes('backToProject')
  return isSettled && canReopen ? followTransition(session.asSystem(), checkedOut, 'backToProject', options) : checkedOut
}

/** What checking in and out and transitions change; the properties are the save's own. */
function systemPart(document: Document) {
  const { isCheckedIn, majorVersion, minorVersion, baseVersionId, state, changeToken } = document
  return { isCheckedIn, majorVersion, minorVersion, baseVersionId, state, changeToken }
}

function changesBlob(shape: Shape, before: Document, after: Document, changed: ReadonlySet<string>): boolean {
  for (const name of changed) {
    const type = shape.properties.get(name)?.field.type
    if (type === undefined) continue
    const keys = [before, after].map((document) => blobKeys(document.properties[name] ?? null).join(' '))
    if (keys[0] !== keys[1]) return true
  }
  return false
}

function blobKeys(value: PropertyValue): string[] {
  if (Array.isArray(value)) return value.flatMap(blobKeys)
  if (typeof value !== 'object' || value === null) return []
  const members = value as { readonly [name: string]: PropertyValue }
  if (typeof members['key'] === 'string' && typeof members['digest'] === 'string') return [members['key']]
  return Object.values(members).flatMap(blobKeys)
}
