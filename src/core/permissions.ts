import { defineProblem } from '../base/problem.ts'
import type { Document } from '../model/document.ts'
import { isGrantedBy } from '../model/rights/acl.ts'
import { isRetained } from './record-cleaning.ts'
import type { PolicyDecision, Session } from './session.ts'

export const privilegeMissing = defineProblem(
  'privilegeMissing',
  'forbidden',
  (of: { permission: string; principal: string }) => `Privilege '${of.permission}' is not granted to '${of.principal}'`,
)

/** Whether the session's principal has the permission on the document: policies first, then the effective entries. */
export async function hasPermission(session: Session, document: Document, permission: string): Promise<boolean> {
  const { principal, repository, model } = session
  if (principal.isAdministrator) return !isHeldBack(session, document, permission)
  const decision = decideByPolicies(session, document, permission)
  if (typeof decision === 'object') return hasPermission(session, document, decision.instead)
  if (decision !== undefined) return decision === 'grant'
  const entries = repository.acps.entriesOf(session, document.acpId)
  const aces = entries instanceof Promise ? await entries : entries
  return isGrantedBy(aces, principal, permission, model.permissions, session.now)
}

/** What the first policy says that says anything; undefined where the entries decide. */
export function decideByPolicies(session: Session, document: Document, permission: string): PolicyDecision {
  return findDecision(session, document, permission)?.decision
}

function findDecision(session: Session, document: Document, permission: string) {
  const { repository, model } = session
  const granting = model.permissions.grantedBy(permission)
  for (const policy of repository.securityPolicies) {
    const decision = policy.decide(session, document, permission, granting)
    if (decision !== undefined) return { decision, policy }
  }
  return undefined
}

/** Every permission there is that the caller has on the document; a compound one where all that it includes are among them. */
export async function listPermissions(session: Session, document: Document): Promise<readonly string[]> {
  const { names, grantedBy } = session.model.permissions
  const granted = new Set<string>()
  for (const name of names) if (await hasPermission(session, document, name)) granted.add(name)
  // A policy or an entry may deny one part of what another entry grants as a whole.
  const denied = names.filter((name) => !granted.has(name)).map(grantedBy)
  return [...granted].filter((name) => !denied.some((granting) => granting.has(name)))
}

/** @throws privilegeMissing, or what the policy says that has refused it */
export async function requirePermission(session: Session, document: Document, permission: string): Promise<void> {
  if (!(await hasPermission(session, document, permission))) {
    throw (await refusalFor(session, document, permission)) ?? privilegeMissing({ permission, principal: session.principal.name })
  }
  noteGranted(session, document, permission)
}

/** For whoever has to check later whether the caller still has it. */
export function noteGranted({ principal }: Session, { repository, id }: Document, permission: string): void {
  principal.granted?.({ repository, document: id, permission })
}

/** Whoever may not read a document is not told by it what kind of document it is. */
async function refusalFor(session: Session, document: Document, permission: string): Promise<Error | undefined> {
  const found = findDecision(session, document, permission)
  if (found?.decision !== 'deny' || found.policy.refusal === undefined) return undefined
  return (await hasPermission(session, document, 'Read')) ? found.policy.refusal() : undefined
}

// Administrators may do everything but remove what is kept by law; only those who clean records may (core-model 11.4).
function isHeldBack(session: Session, document: Document, permission: string): boolean {
  return permission === 'Remove' && isRetained(session, document)
}
