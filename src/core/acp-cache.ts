import { createCache } from '../base/cache/bounded-cache.ts'
import { memoised } from '../base/cache/memo.ts'
import type { IsoDate } from '../base/iso-date.ts'
import { firstMoment, lastMoment } from '../base/iso-date.ts'
import type { Model } from '../model/model.ts'
import { type Ace, isGrantedBy } from '../model/rights/acl.ts'
import type { Acp } from '../store/acps.ts'
import { isWriting } from './access.ts'
import type { AcpCache, Session } from './session.ts'

/** Which of the lists up to some id grant a set of names a permission. */
interface Readable {
  /** Lists that grant it at any time. */
  readonly lasting: readonly number[]
  /** Lists with entries that begin or end; they are looked at anew whenever one does. */
  readonly dated: readonly Acp[]
  /** All that grant it until the next dated entry begins or ends. */
  readonly ids: readonly number[]
  readonly from: IsoDate
  readonly until: IsoDate
  readonly upTo: number
}

const nothingYet: Readable = { lasting: [], dated: [], ids: [], from: firstMoment, until: firstMoment, upTo: 0 }
// A set of names is a user with its groups: enough for the users that are active at the same time.
const maxReadableSets = 10_000
const maxListBytes = 64 * 1024 * 1024

export function createAcpCache(model: Model): AcpCache {
  // Nothing invalidates a list: the one of an id never changes.
  const lists = createCache<number, readonly Ace[]>({ maxBytes: maxListBytes, sizeOf: (aces) => 100 + 200 * aces.length })
  // Taken up where it ends when lists were added, and made anew when a dated entry begins or ends.
  const readable = createCache<string, Readable>({ maxEntries: maxReadableSets })

  function remember(acp: Acp): void {
    lists.set(acp.id, acp.aces)
  }

  async function readEntries(session: Session, acpId: number): Promise<readonly Ace[]> {
    const acp = await session.reader.acps.find(acpId)
    if (acp === undefined) return []
    // The id of a list that is rolled back will name another one, so only what is committed is cached.
    if (isWriting(session)) session.tx.afterCommit(() => remember(acp))
    else remember(acp)
    return acp.aces
  }

  async function readableBy(session: Session, permission: string): Promise<readonly number[] | undefined> {
    const { principal, now } = session
    if (principal.isAdministrator) return undefined
    const key = `${keyOfNames(principal.names)} ${permission}`
    const known = readable.get(key) ?? nothingYet
    const added = await session.reader.acps.listAfter(known.upTo)
    if (added.length === 0 && known.from <= now && now < known.until) return known.ids
    const isReadable = ({ aces }: Acp) => isGrantedBy(aces, principal, permission, model.permissions, now)
    const current = readableAt(now, known, added, isReadable)
    if (!isWriting(session)) readable.set(key, current)
    return current.ids
  }

  return { entriesOf: (session, acpId) => lists.get(acpId) ?? readEntries(session, acpId), readableBy }
}

// The same set for as long as the same principal is cached.
const keyOfNames = memoised((names: ReadonlySet<string>) => JSON.stringify([...names].sort()))

function readableAt(now: IsoDate, known: Readable, added: readonly Acp[], isReadable: (acp: Acp) => boolean): Readable {
  const isDated = ({ aces }: Acp) => aces.some(({ begin, end }) => begin !== null || end !== null)
  const dated = [...known.dated, ...added.filter(isDated)]
  const lasting = [...known.lasting, ...idsOf(added.filter((acp) => !isDated(acp) && isReadable(acp)))]
  const ids = [...lasting, ...idsOf(dated.filter(isReadable))]
  return { lasting, dated, ids, ...unchangedAround(dated, now), upTo: added.at(-1)?.id ?? known.upTo }
}

function idsOf(acps: readonly Acp[]): readonly number[] {
  return acps.map((acp) => acp.id)
}

/** The time around a moment in which no entry begins or ends. */
function unchangedAround(dated: readonly Acp[], now: IsoDate): { readonly from: IsoDate; readonly until: IsoDate } {
  let [from, until] = [firstMoment, lastMoment]
  const bound = (moment: IsoDate) => {
    if (moment > now && moment < until) until = moment
    if (moment <= now && moment > from) from = moment
  }
  for (const { begin, end } of dated.flatMap((acp) => acp.aces)) {
    if (begin !== null) bound(begin)
    // An entry lasts through its end.
    if (end !== null && end < lastMoment) bound(new Date(Date.parse(end) + 1).toISOString())
  }
  return { from, until }
}
