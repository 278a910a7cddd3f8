import { hash } from 'node:crypto'
import { defineProblem } from '../../base/problem.ts'
import { createPrincipal, everyone, isTransient, type Principal, systemUser } from '../../model/rights/principal.ts'
import { firstAdministrator } from '../../settings/administrator-password.ts'
import type { Store } from '../../store/store.ts'
import { groupDirectory, userDirectory } from '../directories/people.ts'
import type { Account } from './accounts.ts'
import { hashPasswordWith } from './password.ts'
import type { EmergencyAdministrator, PrincipalRules } from './principal-rules.ts'

export const emergencyPasswordMissing = defineProblem(
  'emergencyPasswordMissing',
  'invalid',
  (of: { name: string }) =>
    `the emergency administrator ${of.name} is enabled without a password of its own: set QUIRE_USER_EMERGENCY_PASSWORD to one that nobody knows, or leave --user-emergency-enable off`,
)

export const emergencyNameTaken = defineProblem(
  'emergencyNameTaken',
  'conflict',
  (of: { name: string; by: string }) =>
    `the emergency administrator cannot be called ${JSON.stringify(of.name)}: ${of.by}. Choose another --user-emergency-username`,
)

interface EmergencyValues {
  readonly userEmergencyEnable: boolean
  readonly userEmergencyUsername: string
  readonly userEmergencyPassword: string | undefined
}

/** The one of the server that clients know, which everybody knows. */
const publicPassword = 'secret'

/** Undefined unless it is enabled. @throws emergencyPasswordMissing, emergencyNameTaken */
export function emergencyAdministratorOf(
  { userEmergencyEnable, userEmergencyUsername: name, userEmergencyPassword: password = '' }: EmergencyValues,
  others: Pick<PrincipalRules, 'administratorsGroups' | 'defaultAdministrators' | 'virtualUsers' | 'anonymousUser'>,
): EmergencyAdministrator | undefined {
  if (!userEmergencyEnable) return undefined
  if (password.trim() === '' || password === publicPassword) throw emergencyPasswordMissing({ name })
  const by = findHolder(name, others)
  if (by !== undefined) throw emergencyNameTaken({ name, by })
  return { name, password }
}

function findHolder(name: string, others: Parameters<typeof emergencyAdministratorOf>[1]): string | undefined {
  if (name.trim() !== name || name === '') return 'a name begins and ends with something else than a blank'
  // Basic credentials end the name there.
  if (name.includes(':')) return 'a name that has a colon cannot be sent'
  if ([systemUser, everyone].includes(name) || isTransient(name)) return 'the name has a meaning of its own'
  if (name === firstAdministrator || others.defaultAdministrators.includes(name)) return 'that is an administrator already'
  if (others.administratorsGroups.includes(name)) return 'that is a group of administrators'
  if (others.virtualUsers.some((user) => user.name === name)) return 'a plugin declares a user of that name'
  if (others.anonymousUser?.name === name) return 'that is the anonymous user'
  return undefined
}

/** Rights are given to names: whoever has it too would be taken for the other. @throws emergencyNameTaken */
export async function requireNoNamesake({ reader: { directories } }: Store, rules: PrincipalRules): Promise<void> {
  const name = rules.emergencyAdministrator?.name
  if (name === undefined) return
  if ((await directories.find(userDirectory, name)) !== undefined) throw emergencyNameTaken({ name, by: 'there is such a user' })
  if ((await directories.find(groupDirectory, name)) !== undefined)
    throw emergencyNameTaken({ name, by: 'there is such a group' })
}

/**
 * Its account, for which no directory is asked. The password is hashed as those of others are, and to the same in every process and after
 * each start, so that sessions last for as long as it does.
 */
export function createEmergencyAccount(
  { name, password }: EmergencyAdministrator,
  administratorsGroups: readonly string[],
): () => Promise<Account> {
  const principal: Principal = createPrincipal(name, administratorsGroups, { isAdministrator: true, isAnonymous: false })
  const properties = { username: name, firstName: 'Emergency', lastName: 'Administrator' }
  const groupLabels = async () => new Map<string, string>()
  const user = { principal, properties, isStored: false, ownGroups: administratorsGroups, unlistedGroups: [], groupLabels }
  let hashing: Promise<string> | undefined
  return async () => {
    const nonce = hash('sha256', `emergency administrator ${name}`, 'buffer').subarray(0, 16)
    hashing ??= hashPasswordWith(nonce, password)
    return { user, password: await hashing, computed: [] }
  }
}
