import type { Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { entriesOnLevel, idOf, levelCount } from '../load/tree.ts'
import { answering, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** Deep down it may cost a fifth more than at the top. */
const leastShare = 1 / 1.2

/** The same file in two places of the same server: what differs is how far away the entry is that decides. */
export const checkRights: RateRow = {
  name: 'check-rights',
  title: `GET below ${levelCount} levels with ${levelCount * entriesOnLevel} entries, and at the root`,
  leastShare,
  async prepare({ server }) {
    const reading = (id: string): Call => ({ method: 'GET', path: `/api/v1/id/${id}`, user: reader.name })
    return {
      quire: answering(server, takingTurns([reading(idOf('deepFile', 0))])),
      bare: answering(server, takingTurns([reading(idOf('topFile', 0))])),
    }
  },
}
