/** A user that the configuration declares: it can sign in, and no directory knows it. */
export interface VirtualUser {
  readonly name: string
  readonly password: string
  readonly groups: readonly string[]
  /** `firstName`, `lastName`, `email`, `company`. */
  readonly properties?: { readonly [field: string]: string }
}

/**
 * Gives users groups that nobody lists them in.
 * @example
 * const night: GroupComputer = {
 *   name: 'night', groups: [{ name: 'night-shift', label: 'Night shift' }],
 *   groupsOf: (user) => (user.startsWith('night-') ? ['night-shift'] : []),
 * }
 */
export interface GroupComputer {
  readonly name: string
  /** The groups it may give; they resolve as groups. */
  readonly groups: readonly { readonly name: string; readonly label: string }[]
  groupsOf(user: string): readonly string[]
}

/** What the configuration says about who somebody is. */
export interface PrincipalRules {
  /** Whose members may do everything. */
  readonly administratorsGroups: readonly string[]
  /** Users that may do everything whatever their groups. */
  readonly defaultAdministrators: readonly string[]
  /** A group that every user has without being listed in it, but for anonymous and transient ones. */
  readonly defaultGroup?: string
  /** Who somebody without an account is; it cannot sign in with a password. Absent: there is nobody like that. */
  readonly anonymousUser?: { readonly name: string; readonly properties: { readonly [field: string]: string } }
  readonly virtualUsers: readonly VirtualUser[]
  readonly groupComputers: readonly GroupComputer[]
}

/** What the configuration says about accounts and how they are found. */
export interface AccountRules {
  /** New passwords must hold a match of it. */
  readonly passwordPattern?: RegExp
  /** `%` and `_` in a search term stand for other characters. */
  readonly searchesWithWildcards: boolean
  /** Most users that one search may find; 0 is no limit. */
  readonly userSearchLimit: number
  /** How long somebody who was invited may take to choose a password. */
  readonly invitationMillis: number
  /** Whoever is removed loses what the name was granted, so that nobody gets it with the name. */
  readonly removesRights: boolean
  /** Users that properties refer to are shown with their groups. */
  readonly showsGroupsOfReferences: boolean
}
