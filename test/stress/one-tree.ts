import { changeOneTree, waysToChange } from '../faults/one-tree/clients.ts'
import { countDeadlocks } from '../faults/one-tree/deadlocks.ts'
import { createLedger, settleLedger } from '../faults/one-tree/ledger.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

export interface OneTreeStress {
  readonly way: keyof typeof waysToChange
  readonly clients: number
  readonly changes: number
  readonly seed: number
  /** Processes that serve. */
  readonly workers: number
}

/** Has clients change one tree together, over HTTP. Gives whether nobody stood in another's way for good and all promises were kept. */
export function stressByClients(engine: EngineName, { way, clients, changes, seed, workers }: OneTreeStress): Promise<boolean> {
  console.log(`${engine}: ${clients} clients with ${changes} changes each to one tree, ${workers} workers, seed ${seed}`)
  return onStressPlace(engine, async (place, keepData) => {
    const ledger = createLedger()
    const program = await startServerProgram(place, ['--workers', String(workers)])
    const many = { clients, changes, seed, actions: waysToChange[way] }
    const seconds = await changeOneTree(program.url, ledger, many).finally(() => stopProgram(program))
    const broken = await settleLedger(ledger, place)
    const deadlocks = await countDeadlocks(place)
    const isSound = broken.length === 0 && deadlocks === 0
    const statuses = [...ledger.statuses].sort().map(([status, times]) => `${times} × ${status}`)
    console.log(
      `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${((clients * changes) / seconds).toFixed(0)} changes a second, ` +
        `${deadlocks} deadlocks; ${statuses.join(', ')}`,
    )
    if (isSound) return true
    for (const sentence of broken.slice(0, 20)) console.log(`  ${sentence}`)
    keepData()
    const repeat = `npm run stress -- ${way} --engine ${engine} --clients ${clients} --workers ${workers} --rounds ${changes} --seed ${seed}`
    console.log(`The data is in ${place.folder}. To repeat: ${repeat}`)
    return false
  })
}
