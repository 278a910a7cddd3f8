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
const authorization = `Basic ${btoa('Administrator:Administrator')}`
const calls = 8
/** As long as a job of a process that died may lie, with what it takes to do it. */
const patienceSeconds = { sqlite: 10, postgres: 40 } as const satisfies Record<EngineName, number>

const startServer = (place: DatabasePlace, ...flags: string[]) => startServerProgram(place, ['--config', config, ...flags])

/** Has a file made that nobody waits for, and gives where its state is once that is acknowledged. */
async function submit({ url }: Program, fileName: string, milliseconds = 700): Promise<string> {
  const response = await fetch(`${url}api/v1/automation/Faults.CreateSlowly/@async`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ input: '/default-domain/workspaces', context: { fileName, milliseconds } }),
  })
  assert.equal(response.status, 202)
  return new URL(response.headers.get('location') ?? '').pathname.slice(1)
}

async function isOver({ url }: Program, path: string): Promise<boolean> {
  const response = await fetch(`${url}${path}`, { headers: { authorization }, redirect: 'manual' })
  await response.body?.cancel()
  return response.status === 303
}

async function untilOver(program: Program, paths: readonly string[], seconds: number): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1_000
  for (const path of paths) {
    while (!(await isOver(program, path))) {
      assert.ok(performance.now() < giveUpAt, `a call has not ended after ${seconds} s`)
      await pause(100)
    }
  }
}

const filesIn = async (place: DatabasePlace) =>
  (await place.query("SELECT name FROM documents WHERE type = 'File' ORDER BY name")).map(({ name }) => name)

for (const engine of engines) {
  describe(`a server on ${engine} that is killed while calls run that nobody waits for`, () => {
    test('has each acknowledged one done at its next start, soon and once', async () => {
      const place = await filledPlace(engine)
      const names = Array.from({ length: calls }, (_, index) => `file ${index}`)
      const killed = await startServer(place)
      const paths = await Promise.all(names.map((name) => submit(killed, name)))
      await pause(300)
      killed.kill('SIGKILL')
      await killed.ended
      const begun = await place.query("SELECT seq FROM jobs WHERE state = 'running'")
      assert.ok(begun.length > 0, 'some were under way')

      const program = await startServer(place)
      await untilOver(program, paths, patienceSeconds[engine])
      assert.equal(await stopProgram(program), 0)
      assert.deepEqual(await filesIn(place), names)
      assert.deepEqual(await findFlaws(place), [])
    })
  })
}

describe('a worker that is killed while a call runs that nobody waits for', () => {
  test('leaves the call to the one that replaces it', async () => {
    const place = await filledPlace('sqlite')
    const program = await startServer(place, '--log-level', 'silent')
    const path = await submit(program, 'a file')
    await pause(300)
    process.kill(program.processId, 'SIGKILL')
    const answers = () => isOver(program, path).catch(() => false)
    for (const giveUpAt = performance.now() + 15_000; !(await answers()); await pause(50)) {
      assert.ok(performance.now() < giveUpAt, 'the call has not ended')
    }
    assert.equal(await stopProgram(program), 0)
    assert.deepEqual(await filesIn(place), ['a file'])
  })
})

describe('a server that is told to stop', () => {
  test('tells those who ask for the state of a call how it is at once, and has the call done by the next', async () => {
    const place = await filledPlace('sqlite')
    const program = await startServer(place)
    const path = await submit(program, 'a file', 3_000)
    const polls = [isOver(program, path), isOver(program, path)].map(async (poll) => [await poll, performance.now()] as const)
    await pause(1_000)
    const told = performance.now()
    program.kill('SIGTERM')
    for (const [isEnded, at] of await Promise.all(polls)) {
      assert.equal(isEnded, false)
      assert.ok(at - told < 1_000, 'not when the call has ended')
    }
    assert.equal((await program.ended).code, 0)
    assert.deepEqual(await filesIn(place), ['a file'])
  })

  test('refuses whoever waits for what others do, and leaves such a call to the next', async () => {
    const place = await filledPlace('sqlite')
    const program = await startServer(place)
    const parameters = { operationId: 'Faults.Linger', parameters: { milliseconds: 2_000 } }
    const query = "SELECT * FROM Document WHERE ecm:path = '/default-domain/workspaces'"
    const begin = { params: { action: 'automation', query, parameters: JSON.stringify(parameters) } }
    const { body: bulk } = await callApi(program.url, 'POST', '/automation/Bulk.RunAction', begin)
    const wait = { params: { commandId: bulk.value.commandId, timeoutSecond: 600 } }
    const waiting = callApi(program.url, 'POST', '/automation/Bulk.WaitForAction', wait)
    assert.equal((await callApi(program.url, 'POST', '/automation/Bulk.WaitForAction/@async', wait)).status, 202)
    await pause(1_000)
    assert.equal(await stopProgram(program), 0)
    const { status, body } = await waiting
    assert.deepEqual([status, /server is stopping/.test(body.message)], [503, true])
    const left = await place.query("SELECT state, error FROM jobs WHERE payload LIKE '%WaitForAction%'")
    assert.deepEqual(
      left.map(({ state }) => state),
      ['waiting'],
    )
  })
})
