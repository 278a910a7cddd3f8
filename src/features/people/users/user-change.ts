import type { PropertyValue } from '../../../model/properties/property.ts'

/** What is to be different about a user. What is absent stays as it is. */
export interface UserChange {
  /** Fields of the user schema but for the name, the password and the groups. */
  readonly properties: { readonly [field: string]: PropertyValue }
  /** The groups that list the user, instead of those that do. */
  readonly groups?: readonly string[]
  /** As the user will type it; it is hashed before anything is stored. */
  readonly password?: string
}

/** A change of which nothing takes time any more. */
export interface PreparedChange extends Omit<UserChange, 'password'> {
  readonly passwordHash?: string
}
