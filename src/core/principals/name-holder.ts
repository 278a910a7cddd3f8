import { hash } from 'node:crypto'
import { randomText } from '../../base/ids.ts'
import { type IsoDate, lastMoment } from '../../base/iso-date.ts'
import type { TransientReader } from '../../store/transient.ts'
import { announceToServer, userGroupCategory } from '../server-event.ts'
import type { WriteSession } from '../session.ts'

const keyOf = (name: string) => `people/released/${hash('sha256', name, 'base64url')}`

/**
 * Tells those apart who have a name one after the other: what was given out under a name is of use only while this is what it was then.
 * Empty for the first who has it.
 * @param reader of the store where directories live
 */
export async function readHolder(reader: TransientReader, name: string, now: string): Promise<string> {
  const released = await reader.find(keyOf(name), now)
  return typeof released === 'string' ? released : ''
}

/**
 * Whether whoever had the name at that moment is gone, for proofs that others make and that tell no more than a name and a time. Of
 * releases by an older version of this server no time is known.
 */
export async function isReleasedSince(reader: TransientReader, name: string, moment: Date, now: string): Promise<boolean> {
  const released = momentOf(await readHolder(reader, name, now))
  return released !== undefined && moment.getTime() <= Date.parse(released)
}

/** When each of the names was last released, of those that were. */
export async function findReleases(
  reader: TransientReader,
  names: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, IsoDate>> {
  const found = await reader.findAll(names.map(keyOf), now)
  const holders = new Map(found.map(({ key, value }) => [key, typeof value === 'string' ? value : '']))
  const releases = new Map<string, IsoDate>()
  for (const name of names) {
    const released = momentOf(holders.get(keyOf(name)) ?? '')
    if (released !== undefined) releases.set(name, released)
  }
  return releases
}

function momentOf(holder: string): IsoDate | undefined {
  const [released, random] = holder.split(' ')
  return random === undefined ? undefined : released
}

/** Nobody has the name any more, and whoever has it next is another. For a session where directories live, which it has locked. */
export async function noteRelease({ tx, now }: WriteSession, name: string): Promise<void> {
  await tx.transient.set(keyOf(name), `${now} ${randomText(20)}`, lastMoment)
}

/** The same of a name in which others may act: `nameReleased` has everything taken away that lets them. */
export async function releaseName(session: WriteSession, name: string): Promise<void> {
  await noteRelease(session, name)
  await announceToServer(session, 'nameReleased', { category: userGroupCategory, properties: { id: name } })
}
