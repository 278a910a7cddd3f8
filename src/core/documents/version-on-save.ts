import type { Document } from '../../model/document.ts'
import {
  findPolicy,
  isVersioningAllowed,
  type SaveFacts,
  type VersioningPolicy,
  versioningNotAllowed,
} from '../../model/versioning.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { checkIn } from './check-in.ts'

/** @throws versioningNotAllowed when the explicit option is not for this type. */
export function requireVersioningAllowed(session: WriteSession, document: Document, options: SaveOptions): void {
  const option = options.versioning
  if (option === undefined || isVersioningAllowed(session.model.shapeOf(document), option)) return
  throw versioningNotAllowed({ option, type: document.type, state: document.state })
}

/** The version that a policy makes of what is about to be overwritten; undefined when none wants one. */
export function findPolicyBefore(session: WriteSession, facts: SaveFacts): VersioningPolicy | undefined {
  const policy = findPolicy(session.model.versioningPolicies, 'before', session.model.shapeOf(facts.after), facts)
  return policy === undefined || policy.increment === 'none' ? undefined : policy
}

/** Makes the version that was asked for, or that a policy wants, of a document just created. */
export async function versionAfterCreation(session: WriteSession, created: Document, options: SaveOptions): Promise<Document> {
  const changed = new Set(Object.keys(created.properties))
  return versionAfter(session, { before: undefined, after: created, changed, ...policyFacts(options) }, options)
}

/** Makes the version that was asked for, or that a policy wants, of a document just saved. */
export async function versionAfterSave(session: WriteSession, facts: SaveFacts, options: SaveOptions): Promise<Document> {
  return versionAfter(session, facts, options)
}

export function policyFacts(options: SaveOptions): Pick<SaveFacts, 'source' | 'isAutomaticVersioningDisabled'> {
  return { source: options.source, isAutomaticVersioningDisabled: options.automaticVersioning === false }
}

async function versionAfter(session: WriteSession, facts: SaveFacts, options: SaveOptions): Promise<Document> {
  const { after } = facts
  if (after.isVersion || after.isProxy || after.isCheckedIn) return after
  if (options.versioning !== undefined) {
    return options.versioning === 'none' ? after : (await checkIn(session, after, options.versioning, options)).live
  }
  const shape = session.model.shapeOf(after)
  const policy = findPolicy(session.model.versioningPolicies, 'after', shape, facts)
  if (policy === undefined || policy.increment === 'none') return after
  return (await checkIn(session, after, policy.increment, options)).live
}
