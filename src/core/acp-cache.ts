import { type Ace, isGrantedBy } from '../model/acl.ts'
import type { Model } from '../model/model.ts'
import type { Acp } from '../store/acps.ts'
import { type AcpCache, isWriting, type Session } from './session.ts'

interface Readable {
  readonly ids: readonly number[]
  readonly upTo: number
  /** When a time-limited entry next begins or ends; the ids are computed anew from then on. */
  readonly validUntil: string
}

const forever = '9999-12-31T23:59:59.999Z'
// A principal set is a user with its groups: enough for the users that are active at the same time.
const maxReadableSets = 10_000
const maxLists = 100_000

export function createAcpCache(model: Model): AcpCache {
  const lists = new Map<number, readonly Ace[]>()
  const readable = new Map<string, Readable>()

  function remember(acp: Acp): void {
    if (lists.size >= maxLists) lists.clear()
    lists.set(acp.id, acp.aces)
  }

  async function entriesOf(session: Session, acpId: number): Promise<readonly Ace[]> {
    const known = lists.get(acpId)
    if (known !== undefined) return known
    const acp = await session.reader.acps.find(acpId)
    if (acp === undefined) return []
    // The id of a list that is rolled back will name another one, so only what is committed is kept.
    if (isWriting(session)) session.tx.afterCommit(() => remember(acp))
    else remember(acp)
    return acp.aces
  }

  async function readableBy(session: Session, permission: string): Promise<readonly number[] | undefined> {
    const { principal, now } = session
    if (principal.isAdministrator) return undefined
    const key = `${permission}\n${[...principal.names].sort().join('\n')}`
    const known = readable.get(key)
    const isCurrent = known !== undefined && now < known.validUntil
    const before = isCurrent ? known : { ids: [], upTo: 0, validUntil: forever }
    const added = await session.reader.acps.listAfter(before.upTo)
    if (isCurrent && added.length === 0) return before.ids
    const after = extended(before, added, (aces) => isGrantedBy(aces, principal, permission, model.permissions, now), now)
    if (!isWriting(session)) {
      if (readable.size >= maxReadableSets) readable.clear()
      readable.set(key, after)
    }
    return after.ids
  }

  return { entriesOf, readableBy }
}

function extended(before: Readable, added: readonly Acp[], isReadable: (aces: readonly Ace[]) => boolean, now: string): Readable {
  const ids = [...before.ids]
  let { upTo, validUntil } = before
  for (const acp of added) {
    if (isReadable(acp.aces)) ids.push(acp.id)
    upTo = Math.max(upTo, acp.id)
    const turn = nextTurn(acp.aces, now)
    if (turn < validUntil) validUntil = turn
  }
  return { ids, upTo, validUntil }
}

function nextTurn(aces: readonly Ace[], now: string): string {
  let next = forever
  for (const { begin, end } of aces) {
    if (begin !== null && begin > now && begin < next) next = begin
    // An entry lasts through its end, so it turns just after.
    if (end !== null && end >= now && end < next) next = end
  }
  return next
}
