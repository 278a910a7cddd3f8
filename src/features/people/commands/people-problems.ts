import { defineProblem } from '../../../base/problem.ts'
import { noSuchUser } from '../../../command/acting-principal.ts'
import { groupNotFound } from '../groups/find-group.ts'
import { memberGroupNotFound, memberNotFound } from '../membership/change-membership.ts'
import { userNotFound } from '../users/stored-user.ts'

export const noSuchGroup = defineProblem(
  'noSuchGroup',
  'notFound',
  (of: { name: string }) => `there is no group ${of.name}; quire group list shows those there are`,
)

/** What clients are told names nobody, for they asked about one; on a command line several may be named. */
export async function namingPeople<Result>(work: () => Promise<Result>): Promise<Result> {
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
