import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Line, linesToWorkers, openLine, ownerOf } from '../fresh-answers/line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { childrenOf } from '../support/process-family.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const workspaces = '/path/default-domain/workspaces'
const slowConfig = fileURLToPath(new URL('slow.config.ts', import.meta.url))
// Who has a connection is told by Linux alone.
const isTold = process.platform === 'linux'

function fileOf(name: string): string {
  return JSON.stringify({ 'entity-type': 'document', type: 'File', name })
}

async function create(line: Line, name: string): Promise<number> {
  const { status } = await line.call('Administrator', { method: 'POST', path: workspaces, body: fileOf(name) })
  return status
}

async function read(line: Line): Promise<number> {
  const { status } = await line.call('Administrator', { method: 'GET', path: workspaces })
  return status
}

for (const engine of engines) {
  describe(`connections to two processes on ${engine}`, { skip: !isTold }, () => {
    let place: DatabasePlace
    let program: Program
    let lines: readonly Line[] = []

    before(async () => {
      place = await filledPlace(engine)
      program = await startServerProgram(place, ['--workers', '2'])
      lines = await linesToWorkers(program, 2)
    })
    after(async () => {
      for (const line of lines) line.close()
      assert.equal(await stopProgram(program), 0)
    })

    const ownersOf = (of: readonly Line[], by = program) => of.map((line) => ownerOf(line.port(), childrenOf(by.startedId)))
    const write = async (line: Line, times: number, name: string) => {
      for (let index = 0; index < times; index++) assert.equal(await create(line, `${name} ${index}`), 201)
    }

    test('that write are served by one process where the database has one writer, and where they were accepted else', async () => {
      const accepted = ownersOf(lines)
      const ports = lines.map((line) => line.port())
      assert.equal(new Set(accepted).size, 2)
      for (const line of lines) await write(line, 30, `of ${line.port()}`)
      await untilEqual(() => new Set(ownersOf(lines)).size, engine === 'sqlite' ? 1 : 2)
      // They are the same connections.
      assert.deepEqual(
        lines.map((line) => line.port()),
        ports,
      )
      const found = await place.query("SELECT id FROM documents WHERE name LIKE 'of %'")
      assert.equal(found.length, 60)
    })

    test('go back to another when they only read', { skip: engine !== 'sqlite' }, async () => {
      for (const line of lines) for (let index = 0; index < 80; index++) assert.equal(await read(line), 200)
      await untilEqual(() => new Set(ownersOf(lines)).size, 2)
    })

    test('are not moved by writes that are refused', async () => {
      const owners = ownersOf(lines)
      const path = '/path/nothing/there'
      for (const line of lines) {
        for (let index = 0; index < 20; index++) {
          const { status } = await line.call('Administrator', { method: 'POST', path, body: fileOf('x') })
          assert.equal(status, 404)
        }
      }
      await pause(50)
      assert.deepEqual(ownersOf(lines), owners)
    })

    test('are answered when a part of the next request comes with each', async () => {
      const clients = Array.from({ length: 8 }, (_, client) => answersToOverlapping(program.url, 20, `part ${client}`))
      assert.deepEqual(await Promise.all(clients), Array(8).fill(Array(20).fill(201)))
    })

    test('are answered in order when clients do not wait for answers', async () => {
      const clients = Array.from({ length: 8 }, (_, client) => answersToPieces(program.url, 40, `piece ${client}`))
      assert.deepEqual(await Promise.all(clients), Array(8).fill(Array(40).fill(201)))
    })

    test('lose nothing that was acknowledged, and leave no client waiting, when the process that writes is killed', async () => {
      for (const line of lines) await write(line, 12, `again of ${line.port()}`)
      if (engine === 'sqlite') await untilEqual(() => new Set(ownersOf(lines)).size, 1)
      const [victim] = ownersOf(lines)
      const acknowledged: string[] = []
      const writers = Array.from({ length: 12 }, async (_, writer) => {
        for (let round = 0; round < 2; round++) {
          const line = openLine(program.url)
          try {
            for (let index = 0; index < 20; index++) {
              const name = `kept ${writer}-${round}-${index}`
              if ((await create(line, name)) === 201) acknowledged.push(name)
            }
          } catch {
            await pause(200) // its process was killed
          } finally {
            line.close()
          }
        }
      })
      await untilEqual(() => acknowledged.length > 60, true)
      process.kill(victim ?? 0, 'SIGKILL')
      await Promise.all(writers)
      const stored = new Set((await place.query("SELECT name FROM documents WHERE name LIKE 'kept %'")).map(({ name }) => name))
      assert.deepEqual(
        acknowledged.filter((name) => !stored.has(name)),
        [],
      )
      await untilEqual(() => childrenOf(program.startedId).length, 2)
    })

    test('get their answers when the server is told to stop', async () => {
      const own = await startServerProgram(await filledPlace(engine), ['--workers', '2', '--config', slowConfig])
      const ownLines = await linesToWorkers(own, 2)
      const accepted = ownersOf(ownLines, own)
      for (const line of ownLines) await write(line, 12, `of ${line.port()}`)
      if (engine === 'sqlite') await untilEqual(() => new Set(ownersOf(ownLines, own)).size, 1)
      // Node has the server wait for connections that it accepted itself; here the other one alone is being answered.
      const movedIndex = ownersOf(ownLines, own).findIndex((owner, index) => owner !== accepted[index])
      const headers = { 'enrichers-document': 'moreSlowly' }
      const slow = ownLines.at(movedIndex)?.call('Administrator', { method: 'GET', path: workspaces, headers })
      await pause(100)
      own.kill('SIGTERM')
      assert.equal((await slow)?.status, 200)
      assert.equal((await own.ended).code, 0)
      for (const line of ownLines) line.close()
    })
  })
}

describe('connections that were moved', { skip: !isTold }, () => {
  /** So many lines to each of two processes that write until one serves them all. */
  async function onMovedLines(flags: readonly string[], ofEach: number, body: (lines: readonly Line[]) => Promise<void>) {
    const program = await startServerProgram(await filledPlace('sqlite'), ['--workers', '2', ...flags])
    const lines: Line[] = []
    try {
      for (let each = 0; each < ofEach; each++) lines.push(...(await linesToWorkers(program, 2)))
      const owners = () => new Set(lines.map((line) => ownerOf(line.port(), childrenOf(program.startedId))))
      const write = async (line: Line) => {
        for (let index = 0; index < 12; index++) assert.equal(await create(line, `of ${line.port()} ${index}`), 201)
      }
      await Promise.all(lines.map(write))
      await untilEqual(() => owners().size, 1)
      await body(lines)
    } finally {
      for (const line of lines) line.close()
      assert.equal(await stopProgram(program), 0)
    }
  }

  test('may be idle for as long as clients were told, and not longer', async () => {
    const timeouts = ['--connection-first-byte-timeout=500ms', '--connection-headers-timeout=1s', '--connection-idle-timeout=6s']
    await onMovedLines(timeouts, 1, async (lines) => {
      const ports = lines.map((line) => line.port())
      await pause(3_000)
      for (const line of lines) assert.equal(await read(line), 200)
      assert.deepEqual(
        lines.map((line) => line.port()),
        ports,
      )
      await pause(9_000)
      for (const line of lines) assert.equal(await read(line), 200)
      assert.equal(new Set([...ports, ...lines.map((line) => line.port())]).size, 4)
    })
  })

  test('let processes end with the one that watches over them, also while one is on its way there', async () => {
    const program = await startServerProgram(await filledPlace('sqlite'), ['--workers', '2'])
    const workers = childrenOf(program.startedId)
    const lines = await linesToWorkers(program, 2)
    try {
      for (const line of lines) for (let index = 0; index < 12; index++) await create(line, `of ${line.port()} ${index}`)
      await untilEqual(() => new Set(lines.map((line) => ownerOf(line.port(), workers))).size, 1)
      // So that it takes nothing any more: the connection that only reads by now goes back through it.
      process.kill(program.startedId, 'SIGSTOP')
      for (const line of lines) for (let index = 0; index < 64; index++) assert.equal(await read(line), 200)
      process.kill(program.startedId, 'SIGKILL')
      assert.notEqual(await Promise.race([program.ended, pause(10_000, 'late')]), 'late')
    } finally {
      for (const line of lines) line.close()
      for (const processId of [program.startedId, ...workers]) killIfThere(processId)
    }
  })

  test('take nobody’s place', async () => {
    await onMovedLines(['--max-connections', '8'], 6, async (lines) => {
      const ports = lines.map((line) => line.port())
      const statuses = await Promise.all(lines.map((line) => create(line, `at once ${line.port()}`)))
      assert.deepEqual(statuses, Array(12).fill(201))
      assert.deepEqual(
        lines.map((line) => line.port()),
        ports,
      )
    })
  })
})

function killIfThere(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // it has ended
  }
}

async function untilEqual<Value>(look: () => Value, expected: Value): Promise<void> {
  for (let looks = 0; looks < 400 && look() !== expected; looks++) await pause(25)
  assert.equal(look(), expected)
}

function creationBytes(name: string): string {
  const body = fileOf(name)
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const headers = [
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: ${authorization}`,
    `Content-Length: ${body.length}`,
  ]
  return `POST /api/v1${workspaces} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** The statuses of so many creations on one connection, each of which is sent with a part of the next when the one before was answered. */
function answersToOverlapping(url: string, requests: number, name: string): Promise<readonly number[]> {
  const part = 20
  const texts = Array.from({ length: requests }, (_, index) => creationBytes(`${name} ${index}`))
  const textAt = (index: number) => (texts[index]?.slice(index === 0 ? 0 : part) ?? '') + (texts[index + 1]?.slice(0, part) ?? '')
  return answersOnOneConnection(url, requests, (socket, answered) => socket.write(textAt(answered)))
}

/** The statuses of so many creations that are sent on one connection at once, in pieces that end anywhere. */
function answersToPieces(url: string, requests: number, name: string): Promise<readonly number[]> {
  const all = Array.from({ length: requests }, (_, index) => creationBytes(`${name} ${index}`)).join('')
  return answersOnOneConnection(url, requests, async (socket, answered) => {
    if (answered > 0) return
    for (let from = 0; from < all.length; from += 333) {
      socket.write(all.slice(from, from + 333))
      await pause(2)
    }
  })
}

/** @param send called at first, and with each answer, with how many there are */
function answersOnOneConnection(
  url: string,
  requests: number,
  send: (socket: Socket, answered: number) => unknown,
): Promise<readonly number[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    let answered = 0
    send(socket, 0)
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
      if (statuses.length === requests) {
        resolve(statuses)
        socket.destroy()
      } else if (statuses.length > answered) {
        answered = statuses.length
        send(socket, answered)
      }
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`The connection was closed after ${answered} answers.`)))
  })
}
