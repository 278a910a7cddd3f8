import { systemAccess } from '../../core/access.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import { releaseName } from '../../core/principals/name-holder.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import { findTransientEmail } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { acquireToken, type WantedToken } from '../tokens/index.ts'
import { dropEnded, hasEntries, leaveToSettle, settleGuestsKind } from './guest-entries.ts'

/** In the words of the original, by which administrators know such tokens (contract: adapters 3.3). */
function tokenOf(guest: string): WantedToken {
  return {
    userName: guest,
    applicationName: 'transient/appName',
    deviceId: 'transient/deviceId',
    deviceDescription: null,
    permission: 'transient/permission',
  }
}

/**
 * Gives the guest a token for as long as anything is granted to them, and takes it away when nothing is any more, with whatever else was
 * made in their name. The token, where there is one: who has it is let in as the guest.
 */
export async function settleGuest(services: Services, guest: string): Promise<string | undefined> {
  // No user: such a name lets nobody in.
  if (findTransientEmail(guest) === undefined) return undefined
  return systemAccess(homeOf(services)).write(async (session) => {
    // First, so that of two who look at once the second sees what the first was told of.
    await session.tx.directories.lock()
    if (await isGranted(services, session, guest)) return acquireToken(session, services, tokenOf(guest))
    await releaseName(session, guest)
    return undefined
  })
}

function homeOf({ repositories }: Services): Repository {
  const [first] = repositories.values()
  if (first === undefined) throw new Error('There is no repository.')
  return first.home
}

async function isGranted({ repositories }: Services, session: WriteSession, guest: string): Promise<boolean> {
  for (const repository of repositories.values()) {
    const { tables } = repository === session.repository ? session.tx : repository.store.reader
    if (await hasEntries(tables, guest, session.now)) return true
  }
  return false
}

export function settleGuestsJob(services: Services): JobHandler {
  return defineJob({
    kind: settleGuestsKind,
    async run({ guests }) {
      for (const guest of guests) await settleGuest(services, guest)
    },
  })
}

/** Rights end by the clock, and with the last of a guest their token. */
export const endGuests: Schedule = {
  name: 'endGuests',
  everySeconds: 300,
  run: async (session) => leaveToSettle(session, await dropEnded(session)),
}
