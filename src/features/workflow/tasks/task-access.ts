import { requirePermission } from '../../../core/permissions.ts'
import { parsePrincipalReference } from '../../../core/references.ts'
import type { Session } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { isOwn, type Principal } from '../../../model/rights/principal.ts'
import { textAt, textsAt } from '../instance/route-documents.ts'
import { taskNotFound } from '../instance/workflow-problems.ts'
import { isTask } from './task-documents.ts'

/** @throws taskNotFound, also for what is no task; privilegeMissing without Read */
export async function readTask(session: Session, id: DocumentId): Promise<Document> {
  const found = await session.reader.documents.find(id)
  if (found === undefined) throw taskNotFound({ id })
  await requirePermission(session, found, 'Read')
  if (!isTask(session, found)) throw taskNotFound({ id })
  return found
}

function isAmong(principal: Principal, names: readonly string[]): boolean {
  return names.some((text) => {
    const { kind, name } = parsePrincipalReference(text)
    return (kind !== 'group' && name === principal.name) || (kind !== 'user' && principal.groups.includes(name))
  })
}

export function isActor(principal: Principal, task: Document): boolean {
  return isAmong(principal, textsAt(task, 'nt:actors')) || isDelegate(principal, task)
}

export function isDelegate(principal: Principal, task: Document): boolean {
  return isAmong(principal, textsAt(task, 'nt:delegatedActors'))
}

/** Whoever it is for, and whose action made it (contract: workflow 6). */
export function mayComplete(principal: Principal, task: Document): boolean {
  if (principal.isAdministrator || isActor(principal, task)) return true
  const initiator = textAt(task, 'nt:initiator') ?? ''
  return isOwn(principal, initiator, textAt(task, 'dc:created')) || principal.groups.includes(initiator)
}
