import { defineProblem } from '../../../base/problem.ts'
import { findTarget } from '../../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../../core/permissions.ts'
import { isPowerUser } from '../../../core/principals/power-users.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { Field } from '../../../model/field.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import { initiatorOf } from './route-documents.ts'
import { hasInitiator } from './route-rights.ts'

// Whoever is asked gets rights on the documents of a workflow. So nobody chooses them, be it when it starts, by its variables, or by handing
// a task over, who may not read these documents at that moment.

export const documentsUnreadable = defineProblem(
  'documentsUnreadable',
  'forbidden',
  (of: { principal: string }) =>
    `Who is asked in a workflow gets rights on its documents, and so only who may read each of them chooses whom to ask; '${of.principal}' may not. Have somebody do it who may.`,
)

/** For whoever chooses people now. @throws documentsUnreadable */
export async function requireChooser(session: Session, documents: readonly Document[]): Promise<void> {
  for (const document of documents) {
    const isReadable = (await hasPermission(session, document, 'Read')) && (await mayReadTarget(session, document))
    if (!isReadable) throw documentsUnreadable({ principal: session.principal.name })
  }
}

/**
 * What a workflow does to a proxy it does to what that shows (contract: core-model 8.7), so it takes the right to read that as well, be it a
 * version: a review locks and approves it for all who see it.
 */
export async function mayReadTarget(session: Session, document: Document, has = hasPermission): Promise<boolean> {
  if (!document.isProxy) return true
  const target = await findTarget(session, document)
  return target === undefined || has(session, target, 'Read')
}

/** Whether people can be chosen by a variable: by their names. */
export function canNamePeople({ type }: Field): boolean {
  return type.kind === 'list' ? canNamePeople(type.item) : type.kind === 'string'
}

/** Who started a workflow looks after it, and whoever looks after the server. */
export function looksAfter({ principal }: Session, route: Document): boolean {
  return isPowerUser(principal) || isInitiator(principal, route)
}

/** Not who has only the name of somebody that started it, and is gone. */
export function isInitiator({ name }: Principal, route: Document): boolean {
  return initiatorOf(route) === name && hasInitiator(route.acls, name)
}
