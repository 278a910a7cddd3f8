/** A right by name. A compound one includes others: granting it grants them. */
export interface Permission {
  readonly name: string
  readonly includes: readonly string[]
}

/** A right that user interfaces offer on documents of a type (`*` for all), in the order of its number. */
export interface VisiblePermission {
  readonly name: string
  readonly order: number
  readonly types: readonly string[] | '*'
  /** The right denied by the negative form, where it differs. */
  readonly denyName?: string
}

export const everything = 'Everything'
// Deprecated and outside Everything: a user with it has less than a reader.
const restrictedRead = 'RestrictedRead'

/** Knows, for each right, the rights whose grant implies it. */
export interface PermissionTable {
  /** Atomic ones first. */
  readonly names: readonly string[]
  readonly visible: readonly VisiblePermission[]
  /** The right itself, every compound that contains it, and Everything. An unknown name is granted by itself and Everything. */
  grantedBy(permission: string): ReadonlySet<string>
}

export function createPermissionTable(
  permissions: readonly Permission[],
  visible: readonly VisiblePermission[] = [],
): PermissionTable {
  const byName = new Map(permissions.map((permission) => [permission.name, permission]))
  const granting = new Map<string, Set<string>>()
  for (const permission of permissions) {
    for (const included of closure(permission.name, byName)) {
      const set = granting.get(included) ?? new Set(impliedByEverything(included))
      granting.set(included, set.add(permission.name))
    }
  }
  return {
    names: [...permissions].sort(atomicFirst).map((permission) => permission.name),
    visible: [...visible].sort((left, right) => left.order - right.order),
    grantedBy: (permission) => granting.get(permission) ?? new Set([permission, everything]),
  }
}

/** Atomic permissions come before compound ones, whichever plugin contributed them. */
function atomicFirst(left: Permission, right: Permission): number {
  return Number(left.includes.length > 0) - Number(right.includes.length > 0)
}

function closure(name: string, byName: ReadonlyMap<string, Permission>, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const included of byName.get(name)?.includes ?? []) closure(included, byName, seen)
  return seen
}

function impliedByEverything(permission: string): string[] {
  return permission === restrictedRead ? [] : [everything]
}
