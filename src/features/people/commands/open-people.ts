import { defineProblem } from '../../../base/problem.ts'
import { noSuchUser } from '../../../command/acting-principal.ts'
import { type Access, systemAccess } from '../../../core/access.ts'
import { homeOf } from '../../../core/blob-gc/known-repositories.ts'
import type { Services } from '../../../rest/services.ts'
import { groupNotFound } from '../groups/find-group.ts'
import { memberGroupNotFound, memberNotFound } from '../membership/change-membership.ts'
import { userNotFound } from '../users/stored-user.ts'
import type { PeopleCall } from './people-command.ts'

const noSuchGroup = defineProblem(
  'noSuchGroup',
  'notFound',
  (of: { name: string }) => `there is no group ${of.name}; quire group list shows those there are`,
)

/** Messages to clients name no user, for they asked about one; on a command line several may be named. */
async function namingPeople<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  if (userNotFound.is(error)) return noSuchUser(error.details, { cause: error })
  if (memberNotFound.is(error)) return noSuchUser({ name: error.details.user }, { cause: error })
  if (groupNotFound.is(error)) return noSuchGroup(error.details, { cause: error })
  if (memberGroupNotFound.is(error)) return noSuchGroup({ name: error.details.group }, { cause: error })
  return error
}

/** The users and groups of a server, in the hands of the server itself: an operator may do everything. */
export interface OpenPeople {
  readonly services: Services
  readonly access: Access
}

/**
 * Opens users and groups for as long as the body runs, beside a server or without one.
 * @throws databaseAbsent, databaseOutdated
 */
export async function withPeople<Result>(
  { openServices }: Pick<PeopleCall<unknown, unknown>, 'openServices'>,
  body: (people: OpenPeople) => Promise<Result>,
): Promise<Result> {
  const { services, close } = await openServices({ onlyDirectories: true })
  try {
    return await namingPeople(() => body(peopleOf(services)))
  } finally {
    await close()
  }
}

function peopleOf(services: Services): OpenPeople {
  return { services, access: systemAccess(homeOf(services.repositories)) }
}
