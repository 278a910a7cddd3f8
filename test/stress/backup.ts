import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../faults/kill/random.ts'
import { createHistory, type History, prepareWriters, writeAll } from '../moving/backups/history.ts'
import { findLapses } from '../moving/backups/restored-state.ts'
import { killBackup, restoreApart, takeBackup } from '../moving/backups/take-backup.ts'
import { callApi } from '../support/call-api.ts'
import { type DatabasePlace, type EngineName, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const writers = 4
// Files that documents have let go of are collected all the time: what a backup needs must have been copied, or still be there.
const collecting = ['--blob-gc-grace', '2s', '--blob-gc-max-share', '100']

/** Backs a server up again and again while it is written to, and restores each. Gives whether all were states that there had been. */
export function stressBackups(engine: EngineName, rounds: number, seed: number, workers: number): Promise<boolean> {
  console.log(`${engine}: ${rounds} backups with seed ${seed}, ${writers} writers, ${workers} workers`)
  return onStressPlace(engine, async (place, keepData) => {
    const random = createRandom(seed)
    const history = createHistory(writers)
    const program = await startServerProgram(place, [...collecting, '--workers', String(workers)])
    let isOver = false
    try {
      await prepareWriters(program.url, history)
      const working = Promise.all([writeAll(program.url, history, random, () => isOver), collectAll(program.url, () => isOver)])
      for (let round = 1; round <= rounds; round++) {
        const lapses = await backUpOnce(place, history, round, random.next() < 0.3)
        console.log(`${lapses.length === 0 ? 'ok    ' : 'FAILED'} ${engine} ${round}/${rounds}: ${outcome(history)}`)
        for (const lapse of lapses) console.log(`  ${lapse}`)
        if (lapses.length === 0) continue
        keepData()
        console.log(
          `The data is in ${place.folder}. To repeat: npm run stress -- backup --engine ${engine} --rounds ${round} --seed ${seed}`,
        )
        return false
      }
      isOver = true
      await working
      return true
    } finally {
      isOver = true
      await stopProgram(program)
    }
  })
}

let report = ''

function outcome(history: History): string {
  const answered = history.writers.reduce((sum, writer) => sum + writer.answered.length, 0)
  return `${answered} writes answered; ${report}`
}

async function backUpOnce(
  place: DatabasePlace,
  history: History,
  round: number,
  isKilledFirst: boolean,
): Promise<readonly string[]> {
  const folder = join(place.folder, 'backups')
  const killed = isKilledFirst ? await killBackup(place, folder) : undefined
  const begun = history.now()
  history.slowestMillis = 0
  const started = performance.now()
  const { backup, files } = await takeBackup(place, folder)
  const times = { begun, ended: history.now() }
  const backedUp = performance.now()
  const slowest = Math.round(history.slowestMillis)
  const target = restoredPlace(place, round)
  try {
    const { code, printed, complained } = await restoreApart(target, backup)
    const seconds = [backedUp - started, performance.now() - backedUp].map((millis) => (millis / 1_000).toFixed(1))
    const first = killed === undefined ? '' : 'one killed, then '
    report = `${first}backed up in ${seconds[0]} s with ${files.copied} of ${files.files} files copied, meanwhile the slowest write took ${slowest} ms, restored in ${seconds[1]} s`
    return code === 0 ? await findLapses(target, history, times) : [complained || printed]
  } finally {
    if (target.engine === 'postgres') await target.query(`DROP SCHEMA restored_${round}_default CASCADE`)
    await target.close()
    await rm(target.folder, { recursive: true, force: true })
  }
}

function restoredPlace(place: DatabasePlace, round: number): DatabasePlace {
  const folder = join(place.folder, `restored-${round}`)
  const url = place.settings['databaseUrl']
  return url === undefined ? sqlitePlace(folder) : postgresPlace(folder, url, `restored_${round}`)
}

async function collectAll(url: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    // On a busy disk one may outlast the five minutes that fetch waits for; it goes on all the same.
    const unanswered = (error: Error) => console.log(`a collection was not answered: ${error.cause ?? error}`)
    await callApi(url, 'DELETE', '/management/blobs/orphaned').catch(unanswered)
    await pause(200)
  }
}
