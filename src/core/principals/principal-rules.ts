/** A user that the configuration declares: it can sign in, and no directory knows it. */
export interface VirtualUser {
  readonly name: string
  readonly password: string
  readonly groups: readonly string[]
  /** `firstName`, `lastName`, `email`, `company`. */
  readonly properties?: { readonly [field: string]: string }
}

/** Somebody of the settings alone who may do everything, for the day on which no account of the directory lets anybody in. */
export interface EmergencyAdministrator {
  readonly name: string
  readonly password: string
}

/**
 * Gives users groups that do not list them as members.
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

/** What the configuration says about the identity of users. */
export interface PrincipalRules {
  /** Whose members may do everything. */
  readonly administratorsGroups: readonly string[]
  /** Names that the server itself grants something, whether there is such a group or not: only administrators make one, or say who is in it. */
  readonly reservedGroups: readonly string[]
  /** Users whom the configuration lets do more than others, be there such a one or not: only administrators make or change them. */
  readonly reservedUsers: readonly string[]
  /** Users that may do everything whatever their groups. */
  readonly defaultAdministrators: readonly string[]
  /** A group that every user has without being listed in it, but for anonymous and transient ones. */
  readonly defaultGroup?: string
  /** The user of requests without credentials; it cannot sign in with a password. Absent: such requests are refused. */
  readonly anonymousUser?: { readonly name: string; readonly properties: { readonly [field: string]: string } }
  /** Kept, they are those of the next one of that name; else they go. */
  readonly removedPeopleRights?: 'remove' | 'keep'
  /** Let in by its password alone, and known by nobody who looks for users. */
  readonly emergencyAdministrator?: EmergencyAdministrator
  readonly virtualUsers: readonly VirtualUser[]
  readonly groupComputers: readonly GroupComputer[]
}
