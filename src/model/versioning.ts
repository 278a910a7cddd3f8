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
  readonly initialVersion?: { readonly major: number; readonly minor: number }
  /** Type, facet or schema that a document must have; each absent list matches all. */
  readonly types?: readonly string[]
  readonly facets?: readonly string[]
  readonly schemas?: readonly string[]
  readonly condition?: (save: SaveFacts) => boolean
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

export function isVersioningAllowed(shape: Shape, option: VersioningOption): boolean {
  return option === 'none' || shape.hasFacet('Versionable')
}

export function findPolicy(
  policies: readonly VersioningPolicy[],
  when: VersioningPolicy['when'],
  shape: Shape,
  facts: SaveFacts,
): VersioningPolicy | undefined {
  return policies.find((policy) => policy.when === when && matches(policy, shape, facts))
}

function matches(policy: VersioningPolicy, shape: Shape, facts: SaveFacts): boolean {
  return (
    (policy.types === undefined || policy.types.includes(shape.type.name)) &&
    (policy.facets === undefined || policy.facets.some((facet) => shape.hasFacet(facet))) &&
    (policy.schemas === undefined || policy.schemas.some((schema) => shape.hasSchema(schema))) &&
    (policy.condition === undefined || policy.condition(facts))
  )
}

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
