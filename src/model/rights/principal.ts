import type { IsoDate } from '../../base/iso-date.ts'

/** A right that the caller needed on a document and had. */
export interface Grant {
  readonly repository: string
  readonly document: string
  readonly permission: string
}

/** The acting user with every group it belongs to, directly or through other groups. */
export interface Principal {
  readonly name: string
  readonly groups: readonly string[]
  readonly isAdministrator: boolean
  readonly isAnonymous: boolean
  /** The server itself, behind `asSystem`. */
  readonly isSystem: boolean
  /** Names an ACE may carry to concern this principal: its own, its groups' and Everyone. */
  readonly names: ReadonlySet<string>
  /** Told of each right that was needed and granted; for a caller that has to check them again later. */
  readonly granted?: (grant: Grant) => void
  /** For the system acting on a user's behalf: that user, for stamps and audit. */
  readonly onBehalfOf?: string
  /** When somebody else who had the name before was removed. */
  readonly nameFreed?: IsoDate
}

/**
 * Whether it was the principal who did something in that name at that moment, and nobody who had the name before. Of a moment that nobody
 * knows it is only where nobody had.
 */
export function isOwn({ name, nameFreed }: Principal, doer: string, moment: IsoDate | undefined): boolean {
  if (doer !== name) return false
  return nameFreed === undefined || (moment !== undefined && Date.parse(moment) > Date.parse(nameFreed))
}

export const everyone = 'Everyone'
export const systemUser = 'system'

const transientPrefix = 'transient/'

/** The name of a guest without an account who was invited by mail; digits behind it keep one invitation apart from another. */
export function transientName(email: string, digits?: string): string {
  return `${transientPrefix}${email}${digits === undefined ? '' : `/${digits}`}`
}

export function isTransient(name: string): boolean {
  return name.startsWith(transientPrefix)
}

const transientPattern = /^transient\/([^/@\s]+@[^/\s]+)(?:\/[0-9a-fA-F]+)?$/

/** The address that a transient name was made of; digits behind it only keep one invitation apart from another. */
export function findTransientEmail(name: string): string | undefined {
  return isTransient(name) ? transientPattern.exec(name)?.[1] : undefined
}

export function createPrincipal(
  name: string,
  groups: readonly string[],
  { isAdministrator, isAnonymous = false, nameFreed }: { isAdministrator: boolean; isAnonymous?: boolean; nameFreed?: IsoDate },
): Principal {
  return {
    name,
    groups,
    isAdministrator,
    isAnonymous,
    isSystem: false,
    names: new Set([name, ...groups, everyone]),
    ...(nameFreed !== undefined && { nameFreed }),
  }
}

export function systemPrincipal(onBehalfOf?: Principal): Principal {
  const actor = onBehalfOf?.isSystem ? onBehalfOf.onBehalfOf : onBehalfOf?.name
  return {
    name: systemUser,
    groups: [],
    isAdministrator: true,
    isAnonymous: false,
    isSystem: true,
    names: new Set([systemUser, everyone]),
    ...(actor !== undefined && { onBehalfOf: actor }),
  }
}

/** The name for stamps and audit: the user behind a system session, else the principal's own. */
export function actingName(principal: Principal): string {
  return principal.onBehalfOf ?? principal.name
}
