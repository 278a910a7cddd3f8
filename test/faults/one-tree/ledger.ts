import type { DatabasePlace } from '../../support/database-place.ts'
import { findFlaws } from '../../support/repository-flaws.ts'

/** What clients that change one tree together were promised of the files that are their own. */
export interface Ledger {
  /** The title that was acknowledged last, by the id. */
  readonly titles: Map<string, string>
  readonly removed: Set<string>
  /** How often each status was answered. */
  readonly statuses: Map<number, number>
  /** Answers that nobody's change can be an excuse for. */
  readonly broken: string[]
}

export function createLedger(): Ledger {
  return { titles: new Map(), removed: new Set(), statuses: new Map(), broken: [] }
}

/** Gives every promise that the database breaks, as a sentence. */
export async function settleLedger({ titles, removed, broken }: Ledger, place: DatabasePlace): Promise<readonly string[]> {
  const rows = await place.query(
    `SELECT id, properties ->> 'dc:title' AS title FROM documents WHERE is_proxy = 0 AND is_version = 0`,
  )
  const stored = new Map(rows.map(({ id, title }) => [String(id), String(title)]))
  const lost = [...titles].filter(([id, title]) => stored.get(id) !== title)
  const back = [...removed].filter((id) => stored.has(id))
  return [
    ...broken,
    ...lost.map(([id, title]) => `${id} was acknowledged as '${title}' and is ${stored.get(id) ?? 'gone'}`),
    ...back.map((id) => `${id} was removed and is there again`),
    ...(await findFlaws(place)),
  ]
}
