import { setTimeout as sleep } from 'node:timers/promises'
import { lastMoment } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { removeRightsOf } from '../../core/documents/rights/remove-rights-of.ts'
import type { JobHandler } from '../../core/jobs/worker.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import type { PeopleServices } from './people-services.ts'

export const nameNotFreeYet = defineProblem(
  'nameNotFreeYet',
  'conflict',
  (of: { name: string }) =>
    `${of.name} was removed, and the server is still taking away what that name was granted. Try again in a moment.`,
)

const kind = 'removeRightsOf'
const marked = (name: string) => `removedName/${name}`

/**
 * Rights are granted to names, so those of a removed user would go to the next one of that name. They are taken away in the
 * background, however many documents name it; until then the name is not free. A name that the server itself grants something keeps it:
 * only administrators have such a group again.
 */
export async function leaveRightsToRemove(session: WriteSession, services: PeopleServices, name: string): Promise<void> {
  const { removedPeopleRights, reservedGroups } = services.principalRules
  if (removedPeopleRights === 'keep' || reservedGroups.includes(name)) return
  await session.tx.transient.set(marked(name), true, lastMoment)
  await session.tx.jobs.add(kind, { name })
}

/** @throws nameNotFreeYet */
export async function requireFreedName(session: Session, name: string): Promise<void> {
  if (!(await isFreed(session, name))) throw nameNotFreeYet({ name })
}

const longestWaitMillis = 3_000
const lookEveryMillis = 25

/** Gives the job a moment, so that a client that replaces a user at once seldom hears of it. */
export async function untilFreed(session: Session, name: string): Promise<void> {
  const end = performance.now() + longestWaitMillis
  while (!(await isFreed(session, name)) && performance.now() < end) await sleep(lookEveryMillis)
}

async function isFreed({ reader, now }: Session, name: string): Promise<boolean> {
  return (await reader.transient.find(marked(name), now)) === undefined
}

/** Done where users and groups live, for all repositories. */
export const removeRightsOfRemoved = (services: Services): JobHandler => ({
  kind,
  // It waits for transactions of others, which may take long.
  ownWorkers: 1,
  async run(payload, _, signal) {
    const { name } = payload as { readonly [field: string]: Json }
    for (const repository of services.repositories.values()) await removeRightsOf(repository, String(name), signal)
    await services.directories.store.transact((tx) => tx.transient.remove(marked(String(name))))
  },
})
