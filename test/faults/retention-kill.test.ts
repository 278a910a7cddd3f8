import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { callApi } from '../support/call-api.ts'
import { type DatabasePlace, type EngineName, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { findFlaws } from '../support/repository-flaws.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const config = fileURLToPath(new URL('lingering.config.ts', import.meta.url))
const startServer = (place: DatabasePlace) => startServerProgram(place, ['--config', config])
const records = 300
/** As long as a job of a process that died may lie, with what it takes to do it. */
const patienceSeconds = { sqlite: 20, postgres: 60 } as const satisfies Record<EngineName, number>

async function called(program: Program, path: string, body: object) {
  const answer = await callApi(program.url, 'POST', path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer))
  return answer.body
}

/** Records that wait for an event. */
async function makeRecords(program: Program): Promise<void> {
  const entry = { id: 'Retention.End', label: 'End', obsolete: 0, ordering: 1 }
  await called(program, '/directory/RetentionEvent', {
    'entity-type': 'directoryEntry',
    directoryName: 'RetentionEvent',
    properties: entry,
  })
  const properties = {
    'retention_def:startingPointPolicy': 'event_based',
    'retention_def:startingPointEvent': 'Retention.End',
    'retention_def:durationYears': 1,
  }
  const rule = await called(program, '/path/RetentionRules', {
    'entity-type': 'document',
    type: 'RetentionRule',
    name: 'rule',
    properties,
  })
  const input: string[] = []
  for (let first = 0; first < records; first += 20) {
    const some = Array.from({ length: 20 }, (_, index) =>
      called(program, '/path/default-domain/workspaces', { 'entity-type': 'document', type: 'File', name: `f${first + index}` }),
    )
    input.push(...(await Promise.all(some)).map(({ uid }) => uid))
  }
  await called(program, '/automation/Retention.AttachRule', { input, params: { rule: rule.uid } })
}

/** The dates until which files are kept, and how many of them are. */
const ends = async (place: DatabasePlace) =>
  (
    await place.query("SELECT retain_until AS until, count(*) AS files FROM documents WHERE type = 'File' GROUP BY 1 ORDER BY 1")
  ).map(({ until, files }) => [String(until), Number(files)] as const)
const waiting = async (place: DatabasePlace) => (await ends(place)).find(([until]) => until.startsWith('9999'))?.[1] ?? 0

async function untilWaiting(
  place: DatabasePlace,
  isSo: (count: number) => boolean,
  seconds: number,
  everyMilliseconds = 200,
): Promise<number> {
  for (const giveUpAt = performance.now() + seconds * 1_000; ; await pause(everyMilliseconds)) {
    const count = await waiting(place)
    if (isSo(count)) return count
    assert.ok(performance.now() < giveUpAt, `${count} records still wait after ${seconds} s`)
  }
}

for (const engine of engines) {
  describe(`a server on ${engine} that is killed while records begin by an event`, () => {
    test('has all of them begin, each once, at the moment of the event', async () => {
      const place = await filledPlace(engine)
      const killed = await startServer(place)
      await makeRecords(killed)
      assert.equal(await waiting(place), records)
      await called(killed, '/automation/Retention.FireEvent', { params: { name: 'Retention.End' } })
      await untilWaiting(place, (count) => count < records, 20, 5)
      killed.kill('SIGKILL')
      await killed.ended
      const left = await waiting(place)
      assert.ok(left > 0 && left < records, `it was in the middle: ${left} wait`)

      // Several processes on one database, where the engine lets them.
      const programs = await Promise.all(Array.from({ length: engine === 'postgres' ? 2 : 1 }, () => startServer(place)))
      await untilWaiting(place, (count) => count === 0, patienceSeconds[engine])
      for (const program of programs) assert.equal(await stopProgram(program), 0)
      const [all, ...others] = await ends(place)
      assert.deepEqual([all?.[1], others], [records, []])
      assert.deepEqual(
        await place.query(
          "SELECT count(*) AS told FROM audit_entries WHERE event_id = 'afterSetRetention' GROUP BY doc_uuid HAVING count(*) > 2",
        ),
        [],
      )
      assert.deepEqual(await findFlaws(place), [])
    })
  })
}
