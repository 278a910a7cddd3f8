import { setTimeout as pause } from 'node:timers/promises'
import { callApi } from '../../support/call-api.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'
import { settle } from './settle.ts'
import { writeUntilCutOff } from './writer.ts'

const writers = 8

/** Starts a server, has it killed in the middle of many writes, and gives the promises that its database breaks. */
export async function killServerWhileWriting(
  place: DatabasePlace,
  journal: Journal,
  random: Random,
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  const program = await startServerProgram(place, flags)
  try {
    await writeAndCutOff(program.url, journal, random, async () => program.kill('SIGKILL'))
  } finally {
    program.kill('SIGKILL')
    await program.ended
  }
  return settle(journal, place)
}

/** Has one of two workers killed instead: the other has to go on writing, also if it waited for what the dead one had. */
export async function killWorkerWhileWriting(place: DatabasePlace, journal: Journal, random: Random): Promise<readonly string[]> {
  const program = await startServerProgram(place, ['--workers', '2', '--log-level', 'silent'])
  try {
    const written = writing(program.url, journal, random)
    await Promise.race([written, reached(journal, journal.acknowledged + random.between(20, 120))])
    process.kill(program.processId, 'SIGKILL')
    const more = writing(program.url, journal, random)
    await inTime(Promise.race([more, reached(journal, journal.acknowledged + 40)]), 'The worker that is left does not write.')
    program.kill('SIGKILL')
    await Promise.all([written, more])
  } finally {
    program.kill('SIGKILL')
    await program.ended
  }
  return settle(journal, place)
}

/** Has the process killed that watches over two workers: they end by themselves, and whole. */
export async function killWatcherWhileWriting(
  place: DatabasePlace,
  journal: Journal,
  random: Random,
): Promise<readonly string[]> {
  const program = await startServerProgram(place, ['--workers', '2'])
  try {
    await writeAndCutOff(program.url, journal, random, async () => void process.kill(program.startedId, 'SIGKILL'))
    await inTime(program.ended, 'The workers did not end with the process that watches over them.')
  } finally {
    program.kill('SIGKILL')
  }
  return settle(journal, place)
}

/**
 * The same with a PostgreSQL that is killed instead: it loses all its processes and recovers from its log, and the server
 * has to find its way back to it.
 */
export async function killDatabaseWhileWriting(
  place: DatabasePlace,
  journal: Journal,
  random: Random,
): Promise<readonly string[]> {
  const program = await startServerProgram(place)
  try {
    await writeAndCutOff(program.url, journal, random, () => killDatabase(place))
    await answering(program.url)
  } catch (error) {
    program.kill('SIGKILL')
    throw error
  }
  const code = await stopProgram(program)
  return [...(code === 0 ? [] : [`the server ended with ${code}`]), ...(await settle(journal, place))]
}

async function writeAndCutOff(url: string, journal: Journal, random: Random, cutOff: () => Promise<void>): Promise<void> {
  const written = writing(url, journal, random)
  await Promise.race([written, reached(journal, journal.acknowledged + random.between(20, 120))])
  await cutOff()
  await written
}

function writing(url: string, journal: Journal, random: Random): Promise<unknown> {
  return Promise.all(Array.from({ length: writers }, () => writeUntilCutOff(url, journal, random)))
}

async function inTime(work: Promise<unknown>, complaint: string): Promise<void> {
  const late = pause(patienceMilliseconds, 'late', { ref: false })
  if ((await Promise.race([work, late])) === 'late') throw new Error(complaint)
}

/** One process of it that dies takes all others with it. */
async function killDatabase(place: DatabasePlace): Promise<void> {
  const [backend] = await place.query(`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`)
  process.kill(Number(backend?.['pid']), 'SIGKILL')
}

const patienceMilliseconds = 60_000

async function answering(url: string): Promise<void> {
  const giveUpAt = Date.now() + patienceMilliseconds
  for (let status = 0; status !== 200; await pause(50)) {
    if (Date.now() > giveUpAt) throw new Error(`The server does not recover: its last answer was ${status}`)
    status = (await callApi(url, 'GET', '/path/default-domain')).status
  }
}

/** Waits for so many acknowledged writes; the moment after the last of them is any moment for the others. */
async function reached(journal: Journal, acknowledged: number): Promise<void> {
  while (journal.acknowledged < acknowledged) await pause(2)
}
