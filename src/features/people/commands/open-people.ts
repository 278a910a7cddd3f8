import { type Access, systemAccess } from '../../../core/access.ts'
import { homeOf } from '../../../core/blob-gc/known-repositories.ts'
import type { Services } from '../../../rest/services.ts'
import type { PeopleCall } from './people-command.ts'
import { namingPeople } from './people-problems.ts'

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
