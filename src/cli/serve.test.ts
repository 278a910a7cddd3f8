import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Program, runProgram, startProgram } from '../../test/support/program.ts'

const standIn = resolve(import.meta.dirname, '../../test/support/stand-in-program.ts')
const serving = (args: string[], variables?: Record<string, string>) =>
  startProgram(standIn, ['serve', '--port', '0', ...args], variables)

async function askedFor(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).text()
}

async function stopped(program: Program, signal: NodeJS.Signals = 'SIGTERM') {
  program.kill(signal)
  return program.ended
}

/** The ids of the processes that answer, asking until there are as many as wanted or patience ends. */
async function answering(url: string, wanted: number): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const deadline = Date.now() + 5000; seen.size < wanted && Date.now() < deadline; await pause(20)) {
    await askedFor(url).then(
      (id) => seen.add(id),
      () => undefined,
    )
  }
  return seen
}

/** Whether a call comes to its end, be that an answer or a connection that was closed. */
function endOf(url: string): Promise<boolean> {
  const late = AbortSignal.timeout(10_000)
  return fetch(url, { signal: late })
    .then((response) => response.text())
    .then(
      () => true,
      () => !late.aborted,
    )
}

describe('quire serve', () => {
  test('takes any free port for 0, and tells in one line what runs where', async () => {
    const program = await serving(['--workers', '2'], {
      QUIRE_DATABASE_URL: 'postgres://ann:hush@db.example:5433/docs?application_name=q',
    })
    assert.match(
      program.startLine,
      /^Quire \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:[1-9]\d*\/ \(database: PostgreSQL at db\.example:5433\/docs, files: \/\S+\/data\/blobs, 2 workers\)$/,
    )
    assert.match(await askedFor(program.url), /^\d+$/)
    const { code, printed, complained } = await stopped(program)
    assert.equal(code, 0)
    const [started, stop, ...more] = complained
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      [started.event, started.url, started.workers, stop.event, more],
      ['server.started', program.url, 2, 'server.stopped', []],
    )
    assert.ok(!`${printed}${complained}`.includes('hush'))
  })

  test('does not print a password that was chosen', async () => {
    const program = await serving([], { QUIRE_ADMIN_PASSWORD: 'hush' })
    const { printed, complained } = await stopped(program)
    assert.match(printed, /\nSign in as Administrator with the password in QUIRE_ADMIN_PASSWORD\n$/)
    assert.ok(!`${printed}${complained}`.includes('hush'))
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    for (const workers of ['1', '2']) {
      test(`with ${workers} worker(s) finishes the request in flight after ${signal} and ends with 0`, async () => {
        const program = await serving(['--workers', workers])
        const answer = await fetch(`${program.url}slow`)
        program.kill(signal)
        program.kill(signal)
        assert.match(await answer.text(), /^\d+$/)
        assert.equal((await program.ended).code, 0)
        await assert.rejects(askedFor(program.url))
      })
    }
  }

  for (const workers of ['1', '2']) {
    test(`with ${workers} worker(s) tells in one line that the port is taken`, async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => other.once('listening', resolve))
      const port = String((other.address() as { port: number }).port)
      const { code, complained } = await runProgram(standIn, ['serve', '--port', port, '--workers', workers])
      other.close()
      assert.equal(code, 1)
      assert.match(complained, /^quire: cannot listen on 127\.0\.0\.1:\d+: another program listens there already; .*\n$/)
    })
  }

  for (const workers of ['1', '2']) {
    test(`with ${workers} worker(s) leaves no client waiting whose worker was killed, and serves on`, async () => {
      const program = await serving(['--workers', workers, '--log-level', 'silent'])
      const ends: Promise<boolean>[] = []
      for (let kill = 0; kill < 2; kill++) {
        for (let call = 0; call < 50; call++) {
          const isSlow = call % 10 === 0
          ends.push(endOf(`${program.url}${isSlow ? 'slow' : ''}`))
          if (call % 5 === 0) await pause(1)
        }
        const [victim = ''] = await answering(program.url, 1)
        const under = endOf(`${program.url}slow`)
        process.kill(Number(victim), 'SIGKILL')
        ends.push(under)
        await answering(program.url, 1)
      }
      assert.equal((await Promise.all(ends)).filter((isEnded) => !isEnded).length, 0)
      assert.equal((await answering(program.url, Number(workers))).size, Number(workers))
      assert.equal((await stopped(program)).code, 0)
    })
  }

  test('shares the port among its workers and replaces those that die, on the same port', async () => {
    const program = await serving(['--workers', '2', '--log-level', 'error'])
    const first = await answering(program.url, 2)
    assert.equal(first.size, 2)
    for (const id of first) process.kill(Number(id), 'SIGKILL')
    while ((await answering(program.url, 1)).isSubsetOf(first)) await pause(20)
    const second = await answering(program.url, 2)
    assert.equal(second.size, 2)
    assert.ok(first.isDisjointFrom(second))
    const { code, complained } = await stopped(program)
    assert.equal(code, 0)
    assert.equal(complained.match(/"event":"worker.died"/g)?.length, 2)
  })

  test('replaces a worker that dies while the others go on, on the same port', async () => {
    const program = await serving(['--workers', '2', '--log-level', 'silent'])
    const first = await answering(program.url, 2)
    const [victim = ''] = first
    process.kill(Number(victim), 'SIGKILL')
    const survivor = new Set([...first].filter((id) => id !== victim))
    let now = await answering(program.url, 2)
    while (now.isSubsetOf(first)) now = await answering(program.url, 2)
    assert.equal(now.size, 2)
    assert.ok(survivor.isSubsetOf(now))
    assert.equal((await stopped(program)).code, 0)
  })

  test('tells in one line that the data folder cannot be used', async () => {
    const { code, complained } = await runProgram(standIn, ['serve', '--data', standIn])
    assert.equal(code, 1)
    assert.match(complained, /^quire: cannot write to the data folder .* choose another with --data\n$/)
  })
})
