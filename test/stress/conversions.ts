import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, p99 } from '../search/heavy-query/latencies.ts'
import { type MixedFile, mixedFiles } from '../support/conversion/mixed-files.ts'
import type { EngineName } from '../support/database-place.ts'
import { peakMegabytes } from '../support/process-memory.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { importFile } from './import-file.ts'
import { onStressPlace } from './stress-place.ts'

/** All but one in a hundred look-ups may take so many times as long as on an idle server. */
const toleratedFactor = 3
const [documents, hangingSeconds, importedAtOnce] = [1_000, '3607.25', 4]
const measuredMilliseconds = 10_000
const patienceMilliseconds = 20 * 60_000

/**
 * Imports so many files of many kinds into a server with two conversion processes, and one that its converter hangs with. Gives whether
 * all that can be made of them is there, look-ups were answered meanwhile, and the converter that hangs is gone at its limit.
 */
export function stressConversions(engine: EngineName, files: number): Promise<boolean> {
  return onStressPlace(engine, async (place) => {
    const flags = [
      ...['--conversion-processes', '2', '--conversion-timeout', '10s', '--conversion-path', await hangingProgram()],
      // Client, importer, server and converters share the processors here: those who ask for documents go first.
      ...['--conversion-priority', '20'],
    ]
    return onFilledServer(place, documents, flags, async (server) => {
      // Made before anybody is measured: painting pictures takes the processor as converting them does.
      const all = await Array.fromAsync(mixedFiles(files))
      const reader = startReader(server)
      const [importing, converting]: [number[], number[]] = [[], []]
      let idle: readonly number[]
      let expected: Made
      let started = 0
      try {
        await reader.readFor(3_000)
        idle = await reader.readFor(measuredMilliseconds)
        started = performance.now()
        expected = await importUnderEyes(server, all, async (isImporting) => {
          const read = await reader.readFor(1_000)
          for (const latency of read) (isImporting ? importing : converting).push(latency)
        })
      } finally {
        reader.end()
      }
      const seconds = (performance.now() - started) / 1_000
      const found = await countMade(server)
      const left = countHanging()
      const busy = [...importing, ...converting]
      const factor = p99(busy) / p99(idle)
      const peak = peakMegabytes(server.processId)
      const isSound =
        found.texts === expected.texts && found.pictures >= expected.pictures && factor < toleratedFactor && left === 0
      console.log(
        `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${files} files in ${seconds.toFixed(0)} s: ${found.texts} of ${expected.texts} texts, ` +
          `${found.pictures} of ${expected.pictures} pictures; GET /id ${described(idle)} idle, ${described(busy)} meanwhile, ` +
          `p99 ${factor.toFixed(1)} times (${described(importing)} while they came in, ${described(converting)} later); ` +
          `${left} converters hang; the server had at most ${peak.toFixed(0)} MB`,
      )
      return isSound
    })
  })
}

/** Reads on until all is made or took too long. A failed import is thrown once the last look is over, so that the server is ended. */
async function importUnderEyes(
  server: FilledServer,
  files: readonly MixedFile[],
  look: (isImporting: boolean) => Promise<void>,
): Promise<Made> {
  let ended: Promise<Made> | undefined
  const imported = importAll(server, files)
  const end = () => {
    ended = imported
  }
  imported.then(end, end)
  while (ended === undefined) await look(true)
  const expected = await ended
  const deadline = performance.now() + patienceMilliseconds
  // Seldom: the searches that find it out are no part of what is measured, and slow down what is.
  while (performance.now() < deadline && !(await isDone(server, expected))) {
    for (let times = 0; times < 5; times += 1) await look(false)
  }
  return expected
}

function described(latencies: readonly number[]): string {
  return `${median(latencies).toFixed(2)} ms (p99 ${p99(latencies).toFixed(2)} ms)`
}

/** A folder of programs in which Ghostscript never ends, and nothing else is. */
async function hangingProgram(): Promise<string> {
  const folder = join(tmpdir(), `quire-stress-programs-${process.pid}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'gs'), `#!/bin/sh\nsleep ${hangingSeconds}\n`)
  await chmod(join(folder, 'gs'), 0o755)
  return folder
}

function countHanging(): number {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.startsWith('sleep') && line.includes(hangingSeconds)).length
}

interface Made {
  readonly texts: number
  readonly pictures: number
}

const folder = '/default-domain/workspaces/imported'

async function importAll(server: FilledServer, files: readonly MixedFile[]): Promise<Made> {
  const workspace = { 'entity-type': 'document', type: 'Workspace', name: 'imported', properties: {} }
  await server.call('POST', '/path/default-domain/workspaces', workspace)
  await importFile(server.url, folder, {
    name: 'hangs.ps',
    mimeType: 'application/postscript',
    bytes: Buffer.from('%!PS\nshowpage\n'),
  })
  await importElsewhere(server, files)
  return {
    texts: files.filter(({ hasText }) => hasText).length,
    pictures: files.filter(({ hasPicture }) => hasPicture).length,
  }
}

/** By a process of the lowest priority, as if it had a machine to itself, too. */
async function importElsewhere({ url }: FilledServer, files: readonly MixedFile[]): Promise<void> {
  const child = fork(importProgram, [url, folder, String(importedAtOnce)], { serialization: 'advanced' })
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW)
  child.send(files)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The process that imports ended with ${code}.`)
}

async function countMade(server: FilledServer): Promise<Made> {
  const [texts, thumbnails, views] = await Promise.all([
    countOf(server, "ecm:fulltext = 'zebrafish'"),
    countOf(server, 'thumb:thumbnail/data IS NOT NULL'),
    countOf(server, "picture:views/*/title = 'Small'"),
  ])
  return { texts, pictures: thumbnails + views }
}

async function countOf({ call }: FilledServer, condition: string): Promise<number> {
  const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder}' AND ${condition}`)
  const { status, body } = await call('GET', `/search/execute?query=${query}&pageSize=1`)
  if (status !== 200) throw new Error(`The search was answered with ${status}: ${body.slice(0, 200)}`)
  return JSON.parse(body).resultsCount
}

async function isDone(server: FilledServer, expected: Made): Promise<boolean> {
  const { texts, pictures } = await countMade(server)
  await pause(100)
  return texts >= expected.texts && pictures >= expected.pictures && countHanging() === 0
}

const program = fileURLToPath(new URL('look-up-program.ts', import.meta.url))
const importProgram = fileURLToPath(new URL('import-program.ts', import.meta.url))

/**
 * A process of its own, which nothing that this one sends delays. It stands for a client that has a machine to itself, so it goes before
 * all else here where the system allows that: else what is measured is how long it waits for a processor itself.
 */
function startReader({ url, ids }: FilledServer) {
  const child = fork(program, [url], { serialization: 'advanced' })
  spawnSync('chrt', ['--rr', '--pid', '5', String(child.pid)], { stdio: 'ignore' })
  child.send(ids)
  return {
    async readFor(milliseconds: number): Promise<readonly number[]> {
      child.send(milliseconds)
      const [latencies] = (await once(child, 'message')) as [readonly number[]]
      return latencies
    },
    end: () => child.disconnect(),
  }
}
