// The program of a search process: answers the statements that its server sends, on a connection of its own.
import { setPriority } from 'node:os'
import { databaseUnusable } from '../../problems.ts'
import { openSqliteConnection, type SqliteConnection } from '../sqlite-connection.ts'
import { OutOfTime } from '../sqlite-errors.ts'
import { processorTime } from '../statement-clock.ts'
import type { SearchAnswer, SearchOrder } from './search-messages.ts'

// A caller of a long search waits a little longer, so that all other requests do not.
const priority = 10

setPriority(priority)
// Ctrl-C and service managers tell every process of a server; this one goes when its server does.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())

const connection = await openSqliteConnection(process.argv[2] as string, 'read')
process.on('message', async (order) => say(await answer(connection, order as SearchOrder)))
say({ kind: 'ready' })

async function answer({ allWithin }: SqliteConnection, { sql, values, milliseconds }: SearchOrder): Promise<SearchAnswer> {
  try {
    const started = processorTime()
    const rows = await allWithin(milliseconds, { sql, text: sql, values: [...values] })
    return { kind: 'rows', rows, processorMilliseconds: processorTime() - started }
  } catch (error) {
    if (error instanceof OutOfTime) return { kind: 'outOfTime' }
    return databaseUnusable.is(error) ? { kind: 'unusable', ...error.details } : { kind: 'failed', error }
  }
}

function say(answer: SearchAnswer): void {
  process.send?.(answer, (error: Error | null) => {
    // Its server is gone.
    if (error !== null) process.exit()
  })
}
