import { defineProblem } from '../../base/problem.ts'
import { readStoredForUpdate, requireRightAt, store } from '../../core/documents/read-for-update.ts'
import { readSubject, type Subject, shownAt } from '../../core/documents/read-subject.ts'
import { makeRecord } from '../../core/documents/records/make-record.ts'
import { setRetention } from '../../core/documents/records/set-retention.ts'
import { announce } from '../../core/event.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import { type Document, type DocumentId, isUnderRetentionOrHold } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { versionIsNoRecord } from '../../model/retention.ts'
import type { Services } from '../../rest/services.ts'
import { withRule } from './record-copy.ts'
import { runActions } from './rule-actions.ts'
import { findDefinition, plannedEnd, type RetentionDefinition, targetIn } from './rule-definition.ts'
import { isRecordManager } from './rule-managers.ts'
import { ruleFacet } from './rule-model.ts'

export const notARule = defineProblem(
  'notARule',
  'invalid',
  (of: { id: string }) => `${of.id} is no retention rule. Name a live document that is one.`,
)
export const ruleNotInForce = defineProblem(
  'ruleNotInForce',
  'conflict',
  (of: { id: string; why: string }) => `The retention rule ${of.id} ${of.why}.`,
)
export const ruleNotForType = defineProblem(
  'ruleNotForType',
  'invalid',
  (of: { id: string; type: string }) => `The retention rule ${of.id} does not accept documents of the type ${of.type}.`,
)
export const alreadyRetained = defineProblem(
  'alreadyRetained',
  'conflict',
  (of: { id: string }) => `${of.id} is already under retention or legal hold, and a rule cannot be attached to it.`,
)

/** A rule that can be attached, with what it says. */
export interface UsableRule {
  readonly document: Document
  readonly definition: RetentionDefinition
}

/** @throws notARule, ruleNotInForce */
export function requireUsableRule(model: Model, document: Document): UsableRule {
  const { id, isVersion, isProxy, isTrashed, properties } = document
  if (isVersion || isProxy || !model.shapeOf(document).hasFacet(ruleFacet)) throw notARule({ id })
  if (isTrashed) throw ruleNotInForce({ id, why: 'is in the trash' })
  if (!targetIn(properties).isEnabled) throw ruleNotInForce({ id, why: 'is disabled' })
  const definition = findDefinition(properties)
  if (definition === undefined) throw ruleNotInForce({ id, why: 'does not say when retention begins. Complete it first' })
  return { document, definition }
}

const unusualFacets = ['Folderish', 'HiddenInNavigation', 'SystemDocument', ruleFacet]

/**
 * Whether the rule is for documents such as this one. One that names no types is for whatever people work with and keep: no folders, which
 * would keep nothing of what is in them, and nothing of the server's own. A rule is never kept by another one.
 */
export function acceptsType(model: Model, { document }: UsableRule, wanted: Document): boolean {
  const { types } = targetIn(document.properties)
  const shape = model.shapeOf(wanted)
  if (shape.hasFacet(ruleFacet)) return false
  if (types.length > 0) return types.includes(wanted.type)
  return !unusualFacets.some((facet) => shape.hasFacet(facet))
}

/**
 * Makes the document a record that is kept as the rule says; of a proxy, what it points to. It takes the rights to make records and to
 * retain them, which record managers have wherever they may read. The record remembers the rule as it is now.
 * @throws privilegeMissing, versionIsNoRecord, ruleNotForType, alreadyRetained, and what an action of the rule throws
 */
export async function attachRule(services: Services, session: WriteSession, id: DocumentId, rule: UsableRule): Promise<Document> {
  const subject = await readSubject(session, id)
  const { content } = subject
  await requireMayAttach(session, subject)
  if (content.isVersion) throw versionIsNoRecord({ id: content.id })
  if (!acceptsType(session.model, rule, content)) throw ruleNotForType({ id: rule.document.id, type: content.type })
  if (isUnderRetentionOrHold(content, session.now)) throw alreadyRetained({ id: content.id })
  const attached = await attachAsServer(services, session.asSystem(), content.id, rule)
  return attached === undefined ? subject.place : shownAt(session, subject, attached)
}

async function requireMayAttach(session: WriteSession, { place, content }: Subject): Promise<void> {
  if (isRecordManager(session.principal)) return requirePermission(session, place, 'Read')
  await requireRightAt(session, place, content, 'MakeRecord')
  await requireRightAt(session, place, content, 'SetRetention')
}

/** The same once all is checked. Undefined where an action of the rule has removed the document. */
async function attachAsServer(
  services: Services,
  system: WriteSession,
  id: DocumentId,
  rule: UsableRule,
): Promise<Document | undefined> {
  await makeRecord(system, id)
  const record = await readStoredForUpdate(system, id)
  await store(system, record, withRule(system, record, rule.document))
  await runActions(services, system, id, rule.definition.beginActions)
  const begun = await system.tx.documents.findForUpdate(id)
  if (begun === undefined) return undefined
  const until = plannedEnd(rule.definition, begun.properties, system.now)
  const kept = until === null ? begun : await setRetention(system, id, until)
  await announce(system, 'retentionRuleAttached', kept, { comment: rule.document.path })
  return kept
}
