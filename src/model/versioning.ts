import { memoised } from '../base/cache/memo.ts'
import { defineProblem } from '../base/problem.ts'
import type { Document } from './document.ts'
import type { Shape } from './shape.ts'

export type VersioningOption = 'none' | 'minor' | 'major'

/** A rule that versions documents by itself when they are saved; the first that matches wins, in ascending order. */
export interface VersioningPolicy {
  readonly id: string
  readonly order: number
  /** `before` versions what is about to be overwritten, `after` what was just written. */
  readonly when: 'before' | 'after'
  readonly increment: VersioningOption
  /** The numbers that a matching document starts with; of several such policies the first decides. */
  readonly initialVersion?: { readonly major: number; readonly minor: number }
  /** Type, facet or schema that a document must have; each absent list matches all. */
  readonly types?: readonly string[]
  readonly facets?: readonly string[]
  readonly schemas?: readonly string[]
  /** Properties of which one must change. */
  readonly changes?: readonly string[]
  /** Asked when all else matches. */
  readonly condition?: (save: SaveFacts) => boolean
}

/** Which options may be asked for: of one type, or with `*` of every type that has no restriction of its own. */
export interface VersioningRestriction {
  readonly type: string
  /** By lifecycle state; `*` is for every state that is not named. A state that neither names keeps all options. */
  readonly allowed: { readonly [state: string]: readonly VersioningOption[] }
}

/** What a policy may decide by. On creation `before` is undefined. */
export interface SaveFacts {
  readonly before: Document | undefined
  readonly after: Document
  /** Names of the properties that change. */
  readonly changed: ReadonlySet<string>
  /** Where the save comes from (header `source`), for policies that depend on it. */
  readonly source: string | undefined
  readonly isAutomaticVersioningDisabled: boolean
}

export const versioningNotAllowed = defineProblem(
  'versioningNotAllowed',
  'invalid',
  (of: { option: VersioningOption; type: string; state: string }) =>
    `Versioning option=${of.option.toUpperCase()} is not allowed by the configuration for type=${of.type}/lifeCycleState=${of.state}`,
)

export const versioningOptionMissing = defineProblem(
  'versioningOptionMissing',
  'invalid',
  (of: { allowed: readonly VersioningOption[]; type: string; state: string }) =>
    `Saving a ${of.type} in state ${of.state} takes a versioning option: ${of.allowed.map((one) => one.toUpperCase()).join(' or ')}`,
)

export const invalidVersioningOption = defineProblem(
  'invalidVersioningOption',
  'invalid',
  (of: { text: string }) => `Invalid versioning option: ${of.text}. Use NONE, MINOR or MAJOR.`,
)

export function parseVersioningOption(text: string): VersioningOption {
  const option = text.trim().toLowerCase()
  if (option === 'none' || option === 'minor' || option === 'major') return option
  throw invalidVersioningOption({ text })
}

const versioningOptions: readonly VersioningOption[] = ['none', 'minor', 'major']

/** The options that may be asked for when a document of the shape is saved in the state. */
export function allowedOptions(
  restrictions: readonly VersioningRestriction[],
  shape: Shape,
  state: string,
): readonly VersioningOption[] {
  if (!shape.hasFacet('Versionable')) return ['none']
  const restriction =
    restrictions.find(({ type }) => type === shape.type.name) ?? restrictions.find(({ type }) => type === anyType)
  return restriction?.allowed[state] ?? restriction?.allowed[anyState] ?? versioningOptions
}

export const anyType = '*'
const anyState = '*'

export function findPolicy(
  policies: readonly VersioningPolicy[],
  when: VersioningPolicy['when'],
  shape: Shape,
  facts: SaveFacts,
): VersioningPolicy | undefined {
  return policiesFor(policies)(shape).find((policy) => policy.when === when && matches(policy, facts))
}

/** The numbers that a new document starts with. */
export function initialVersion(
  policies: readonly VersioningPolicy[],
  shape: Shape,
  facts: SaveFacts,
): { majorVersion: number; minorVersion: number } {
  const policy = policiesFor(policies)(shape).find((one) => one.initialVersion !== undefined && matches(one, facts))
  const { major, minor } = policy?.initialVersion ?? { major: 0, minor: 0 }
  return { majorVersion: major, minorVersion: minor }
}

// Neither policies nor shapes change while a server runs, and every save asks.
const policiesFor = memoised((policies: readonly VersioningPolicy[]) =>
  memoised((shape: Shape): readonly VersioningPolicy[] =>
    policies.filter(
      ({ types, facets, schemas }) =>
        (types === undefined || types.includes(shape.type.name)) &&
        (facets === undefined || facets.some((facet) => shape.hasFacet(facet))) &&
        (schemas === undefined || schemas.some((schema) => shape.hasSchema(schema))),
    ),
  ),
)

function matches({ changes, condition }: VersioningPolicy, facts: SaveFacts): boolean {
  return (
    (changes === undefined || changes.some((name) => facts.changed.has(name))) && (condition === undefined || condition(facts))
  )
}

/** Properties that show the numbers of a version, and where a document has these. The server counts them; clients cannot set them. */
export const versionNumbers: ReadonlyMap<string, 'majorVersion' | 'minorVersion'> = new Map([
  ['uid:major_version', 'majorVersion'],
  ['uid:minor_version', 'minorVersion'],
])
export const versionNumberNames: ReadonlySet<string> = new Set(versionNumbers.keys())

export function nextVersion(
  document: Pick<Document, 'majorVersion' | 'minorVersion'>,
  option: VersioningOption,
): { majorVersion: number; minorVersion: number } {
  const { majorVersion, minorVersion } = document
  if (option === 'major') return { majorVersion: majorVersion + 1, minorVersion: 0 }
  return { majorVersion, minorVersion: option === 'minor' ? minorVersion + 1 : minorVersion }
}

/** `1.2`, with a `+` for a live document changed since; empty for types without version properties. */
export function versionLabel(document: Document, shape: Shape): string {
  if (!shape.hasSchema('uid')) return ''
  const label = `${document.majorVersion}.${document.minorVersion}`
  const isChanged = !document.isVersion && !document.isCheckedIn && label !== '0.0'
  return isChanged ? `${label}+` : label
}

/** Reported on versions and on proxies to versions; never stored, and no definition: clients cannot add it. */
export const immutableFacet = 'Immutable'

/** A version never changes, nor does what a proxy to one shows. A proxy to a live document points to its own series. */
export function isImmutable(document: Pick<Document, 'isVersion' | 'isProxy' | 'targetId' | 'seriesId'>): boolean {
  return document.isVersion || (document.isProxy && document.targetId !== document.seriesId)
}

/** Whether a document of that shape is reported with the facet. */
export function isReportedWith(document: Parameters<typeof isImmutable>[0], shape: Shape, facet: string): boolean {
  return facet === immutableFacet ? isImmutable(document) : shape.hasFacet(facet)
}

/** One rule at both moments; the ids tell them apart. */
export function beforeAndAfter(id: string, rule: Omit<VersioningPolicy, 'id' | 'when'>): readonly VersioningPolicy[] {
  return [
    { ...rule, id: `${id}-before-update`, when: 'before' },
    { ...rule, id: `${id}-after-update`, when: 'after' },
  ]
}
