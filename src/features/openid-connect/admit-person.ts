import { Problem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import { groupDirectory, groupMembers, userDirectory } from '../../core/directories/people.ts'
import { listGroupsWith } from '../../core/principals/group-inheritance.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import { isTransient, type Principal, systemUser } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { addMember, createUser, removeMember, userExists } from '../people/index.ts'
import type { ClaimedPerson } from './claims.ts'
import type { IdentityProvider } from './providers.ts'

export type PersonAdmission =
  | { readonly kind: 'admitted'; readonly principal: Principal }
  /** Why, for the log. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Lets somebody in whom a provider vouches for: with an account, where the provider may have one made, and the groups it gives. */
export async function admitPerson(
  services: Services,
  home: Repository,
  provider: IdentityProvider,
  person: ClaimedPerson,
): Promise<PersonAdmission> {
  const { principals, principalRules } = services
  const { userName } = person
  const isNobody = userName === systemUser || isTransient(userName) || userName === principalRules.anonymousUser?.name
  if (isNobody) return refused('no user may have that name')
  try {
    if ((await principals.find(userName)) === undefined) {
      if (provider.firstSignIn === 'refuse') return refused('there is no such user')
      await createAccount(services, home, provider, person)
    }
    const reason = await systemAccess(home).write((session) => giveGroups(session, services, provider, person))
    if (reason !== undefined) return refused(reason)
  } catch (error) {
    // What keeps an account from being made says so: the name is a group's, or not free yet, or the users cannot be changed.
    if (error instanceof Problem && error.kind !== 'unavailable') return refused(error.message)
    throw error
  }
  const principal = await principals.find(userName)
  if (principal === undefined) return refused('there is no such user any more')
  if (principal.isAdministrator && !provider.allowAdministrators) return refused(noAdministrators)
  return { kind: 'admitted', principal }
}

const noAdministrators = 'administrators may not sign in there: allowAdministrators is false'

async function createAccount(
  services: Services,
  home: Repository,
  provider: IdentityProvider,
  { userName: name, properties, groups }: ClaimedPerson,
): Promise<void> {
  try {
    await systemAccess(home).write(async (session) => {
      const listed = await session.tx.directories.listSources(groupMembers, name)
      // A group may list names that nobody has yet: whoever gets such a name gets the group.
      if (await isRefusedAdministrator(session, services, provider, name, [...listed, ...groups])) return
      await createUser(session, services, { name, properties })
    })
  } catch (error) {
    // The same person may have signed in twice at once.
    if (!userExists.is(error)) throw error
  }
}

/** Gives and takes the groups that are the provider's to give, and leaves all others. Tells why not, if it may not. */
async function giveGroups(
  session: WriteSession,
  services: Services,
  provider: IdentityProvider,
  { userName, groups }: ClaimedPerson,
): Promise<string | undefined> {
  const { directories } = session.tx
  const isStored = (await directories.find(userDirectory, userName)) !== undefined
  const listed = await directories.listSources(groupMembers, userName)
  const others = listed.filter((group) => ![...provider.groups.values()].includes(group))
  const isRefused = await isRefusedAdministrator(session, services, provider, userName, [...others, ...groups])
  if (isRefused) return noAdministrators
  // Users of the configuration are listed nowhere.
  if (!isStored || provider.groups.size === 0) return undefined
  const existing = new Set((await directories.findAll(groupDirectory, [...provider.groups.values()])).map(({ id }) => id))
  for (const group of existing) {
    if (groups.includes(group)) await addMember(session, services, userName, group)
    else await removeMember(session, services, userName, group)
  }
  return undefined
}

async function isRefusedAdministrator(
  { tx }: WriteSession,
  { principalRules }: Services,
  provider: IdentityProvider,
  name: string,
  groups: readonly string[],
): Promise<boolean> {
  if (provider.allowAdministrators) return false
  if (principalRules.defaultAdministrators.includes(name)) return true
  const all = await listGroupsWith(tx.directories, principalRules, name, groups)
  return [name, ...all].some((group) => principalRules.administratorsGroups.includes(group))
}

function refused(reason: string): PersonAdmission {
  return { kind: 'refused', reason }
}
