import type { Document } from '../../../model/document.ts'
import {
  allowedOptions,
  findPolicy,
  initialVersion,
  type SaveFacts,
  type VersioningOption,
  type VersioningPolicy,
  versioningNotAllowed,
  versioningOptionMissing,
} from '../../../model/versioning.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { Session, WriteSession } from '../../session.ts'
import { checkIn } from './check-in.ts'

/** The options that may be asked for when the document is saved. */
export function listVersioningOptions({ model }: Session, document: Document): readonly VersioningOption[] {
  return allowedOptions(model.versioningRestrictions, model.shapeOf(document), document.state)
}

/** @throws versioningNotAllowed when the explicit option is not for this type in its state. */
export function requireVersioningAllowed(session: WriteSession, document: Document, options: SaveOptions): void {
  const option = options.versioning
  if (option === undefined || listVersioningOptions(session, document).includes(option)) return
  throw versioningNotAllowed({ option, type: document.type, state: document.state })
}

/** The same for a save, which cannot leave the choice open where a version must be made. @throws versioningOptionMissing */
export function requireSaveOption(session: WriteSession, document: Document, options: SaveOptions): void {
  requireVersioningAllowed(session, document, options)
  const allowed = listVersioningOptions(session, document)
  if (options.versioning !== undefined || allowed.includes('none')) return
  throw versioningOptionMissing({ allowed, type: document.type, state: document.state })
}

/** A new document with the numbers it starts with. */
export function withInitialVersion({ model }: Session, document: Document, options: SaveOptions): Document {
  const shape = model.shapeOf(document)
  if (!shape.hasFacet('Versionable')) return document
  return { ...document, ...initialVersion(model.versioningPolicies, shape, new CreationFacts(document, options)) }
}

/** The version that a policy makes of what is about to be overwritten; undefined when none wants one. */
export function findPolicyBefore(session: WriteSession, facts: SaveFacts): VersioningPolicy | undefined {
  return findVersioningPolicy(session, 'before', facts)
}

/** Makes the version that was asked for, or that a policy wants, of a document just created. */
export function versionAfterCreation(session: WriteSession, created: Document, options: SaveOptions): Promise<Document> {
  return versionAfterSave(session, new CreationFacts(created, options), options)
}

/** Makes the version that was asked for, or that a policy wants, of a document just saved. */
export async function versionAfterSave(session: WriteSession, facts: SaveFacts, options: SaveOptions): Promise<Document> {
  const { after } = facts
  if (after.isVersion || after.isProxy || after.isCheckedIn) return after
  const increment = options.versioning ?? findVersioningPolicy(session, 'after', facts)?.increment ?? 'none'
  return increment === 'none' ? after : (await checkIn(session, after, increment, options)).live
}

export function policyFacts(options: SaveOptions): Pick<SaveFacts, 'source' | 'isAutomaticVersioningDisabled'> {
  return { source: options.source, isAutomaticVersioningDisabled: options.automaticVersioning === false }
}

/** All properties of a new document change. Few policies ask which these are. */
class CreationFacts implements SaveFacts {
  readonly before = undefined
  readonly after: Document
  readonly source: string | undefined
  readonly isAutomaticVersioningDisabled: boolean
  #changed: ReadonlySet<string> | undefined

  constructor(created: Document, options: SaveOptions) {
    const { source, isAutomaticVersioningDisabled } = policyFacts(options)
    this.after = created
    this.source = source
    this.isAutomaticVersioningDisabled = isAutomaticVersioningDisabled
  }

  get changed(): ReadonlySet<string> {
    this.#changed ??= new Set(Object.keys(this.after.properties))
    return this.#changed
  }
}

/** One that only prevents is none; what nobody may make versions of gets none by itself either. */
function findVersioningPolicy(
  { model }: Session,
  when: VersioningPolicy['when'],
  facts: SaveFacts,
): VersioningPolicy | undefined {
  const shape = model.shapeOf(facts.after)
  const policy = shape.hasFacet('Versionable') ? findPolicy(model.versioningPolicies, when, shape, facts) : undefined
  return policy?.increment === 'none' ? undefined : policy
}
