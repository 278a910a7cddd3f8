import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '../../src/testing.ts'
import { createRandom } from '../faults/kill/random.ts'
import { fillRandomly } from '../moving/archives/random-repository.ts'
import { type DatabasePlace, type EngineName, sqlitePlace } from '../support/database-place.ts'
import { launchProgram, type Outcome } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { fillShelves } from './shelves.ts'
import { onStressPlace } from './stress-place.ts'

/**
 * Fills an embedded database with so many documents and a random history, exports it while its server runs, imports the archive on the
 * engine by commands that are killed so many times, and compares what that exports. Gives whether both are the same.
 */
export function stressArchive(engine: EngineName, documents: number, kills: number, seed: number): Promise<boolean> {
  console.log(`${engine}: ${documents} documents by an archive, ${kills} imports killed, seed ${seed}`)
  return onStressPlace(engine, async (target, keepData) => {
    const source = sqlitePlace(join(target.folder, 'source'))
    const [there, back] = [join(target.folder, 'there.zip'), join(target.folder, 'back.zip')]
    const server = await startTestServer({ settings: source.settings })
    try {
      await fillRandomly(server, { seed, steps: 200 })
      // Every tenth has bytes of its own.
      await fillShelves(server, documents, (number) => (number % 10 === 0 ? number : undefined))
      const first = await exported(source, there)
      await stopProgram(await startServerProgram(target, []))
      const imported = await importKilled(target, there, { documents, kills, seed })
      if (imported.code !== 0) return fail(imported.complained, keepData)
      const { seconds, files, isContinued } = JSON.parse(imported.printed)
      const what = isContinued ? 'went on, ' : ''
      console.log(`  the last import ${what}took ${seconds.toFixed(1)} s and stored ${files} files`)
      const second = await exported(target, back)
      const isSame = JSON.stringify(first) === JSON.stringify(second)
      console.log(isSame ? `ok     ${engine}` : `FAILED ${engine}: ${JSON.stringify([first, second])}`)
      if (isSame && kills > 0) await measureImport(target, there)
      return isSame || fail(`${there} and ${back} differ`, keepData)
    } finally {
      await server.stop()
    }
  })
}

function fail(what: string, keepData: () => void): boolean {
  console.log(`FAILED ${what}`)
  keepData()
  return false
}

const flags = ['--json', '--log-level', 'error']

async function exported(place: DatabasePlace, archive: string): Promise<object> {
  const { code, printed, complained } = await launchProgram(quireProgram, ['export', '/', archive, ...flags, ...place.flags])
    .ended
  if (code !== 0) throw new Error(complained)
  const { parts, files, seconds } = JSON.parse(printed)
  const { lines } = parts.documents
  console.log(
    `  ${lines} documents and ${files.count} files exported in ${seconds.toFixed(1)} s: ${Math.round(lines / seconds)}/s`,
  )
  return { parts, files }
}

/** Each is killed somewhere on the way that a whole one takes, at some 2,000 documents a second. */
async function importKilled(
  place: DatabasePlace,
  archive: string,
  { documents, kills, seed }: { readonly documents: number; readonly kills: number; readonly seed: number },
): Promise<Outcome> {
  const random = createRandom(seed)
  for (let killed = 0; killed < kills; killed++) {
    const program = launchProgram(quireProgram, ['import', archive, '--to', '/', ...flags, ...place.flags])
    let isOver = false
    void program.ended.then(() => {
      isOver = true
    })
    await Promise.race([program.ended, pause(1_000 + random.between(0, documents / 2))])
    if (isOver) return program.ended
    program.kill('SIGKILL')
    await program.ended
  }
  return launchProgram(quireProgram, ['import', archive, '--to', '/', ...flags, ...place.flags]).ended
}

/** What one run takes that nobody stops, into a fresh embedded database. */
async function measureImport({ folder }: DatabasePlace, archive: string): Promise<void> {
  const fresh = sqlitePlace(join(folder, 'measured'))
  await stopProgram(await startServerProgram(fresh, []))
  const { printed, complained } = await launchProgram(quireProgram, ['import', archive, '--to', '/', ...flags, ...fresh.flags])
    .ended
  const { seconds, documents } = JSON.parse(printed || complained)
  console.log(`  ${documents} documents imported to SQLite in ${seconds.toFixed(1)} s: ${Math.round(documents / seconds)}/s`)
  await rm(fresh.folder, { recursive: true, force: true })
}
