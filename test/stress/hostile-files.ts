import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { damagedFiles, type HostileFile, hostileFiles } from '../support/conversion/hostile-files.ts'
import { peakMegabytes } from '../support/process-memory.ts'
import { type FilledServer, fetchOnceMore, onFilledServer } from './filled-server.ts'
import { onStressPlace } from './stress-place.ts'

const wellEnded = new Set([200, 400, 404, 413, 422])
const atOnce = 4
const maxMegabytes = 250

/**
 * Converts files that were made to do harm, and so many that are damaged. Gives whether each ends in a result or a clear refusal, the
 * server stays small, nothing asks another machine for anything, and no process is left when the server is gone.
 */
export function stressHostileFiles({ seed, rounds }: { readonly seed: number; readonly rounds: number }): Promise<boolean> {
  return onStressPlace('sqlite', async (place) => {
    const asked: string[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(String(request.url))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    try {
      const flags = ['--conversion-memory', '600MB', '--conversion-timeout', '30s']
      const { processId, megabytes, endings, failures } = await onFilledServer(place, 1, flags, async (server) => {
        const files = [...hostileFiles(`http://127.0.0.1:${port}`)].values()
        const damaged = damagedFiles(seed).take(rounds)
        const next = () => {
          const named = files.next()
          return named.done ? damaged.next() : named
        }
        const told = await convertAll(server, next)
        return { ...told, processId: server.processId, megabytes: peakMegabytes(server.processId) }
      })
      const left = countLeft(processId)
      const isSound = failures.length === 0 && asked.length === 0 && left === 0 && megabytes < maxMegabytes
      console.log(
        `${isSound ? 'ok    ' : 'FAILED'} hostile files, seed ${seed}: ${JSON.stringify(Object.fromEntries(endings))}; the server had at most ` +
          `${megabytes.toFixed(0)} MB; ${left} processes left; ${asked.length} requests to others`,
      )
      return isSound
    } finally {
      elsewhere.close()
    }
  })
}

type NextFile = () => IteratorResult<HostileFile, unknown>

async function convertAll(server: FilledServer, next: NextFile) {
  const endings = new Map<number, number>()
  const failures: string[] = []
  const work = async () => {
    for (let one = next(); !one.done; one = next()) {
      const { what, queries } = one.value
      const uid = await createWith(server, one.value)
      for (const query of queries) {
        const { status, body } = await server.call('GET', `/id/${uid}/@convert?${query}`)
        endings.set(status, (endings.get(status) ?? 0) + 1)
        if (wellEnded.has(status)) continue
        failures.push(`${what} ${query}: ${status} ${body.slice(0, 200)}`)
        // At once: the rest may take an hour.
        console.log(`FAILED ${failures.at(-1)}`)
      }
      await server.call('DELETE', `/id/${uid}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { endings, failures }
}

/** As clients do: the file goes up first, and what is made of it in the background is made meanwhile. */
async function createWith({ url, call }: FilledServer, { name, mimeType, bytes }: HostileFile): Promise<string> {
  const { batchId } = JSON.parse((await call('POST', '/upload')).body)
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const headers = { authorization, 'x-file-name': name, 'x-file-type': mimeType, 'content-type': 'application/octet-stream' }
  const sent = await fetchOnceMore(`${url}api/v1/upload/${batchId}/0`, { method: 'POST', headers, body: bytes() as never })
  await sent.body?.cancel()
  const properties = { 'dc:title': name, 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  const body = { 'entity-type': 'document', type: 'File', name: crypto.randomUUID(), properties }
  const { status, body: answer } = await call('POST', '/path/default-domain/workspaces', body)
  if (status !== 201) throw new Error(`${name} was answered with ${status}: ${answer.slice(0, 200)}`)
  return JSON.parse(answer).uid
}

/** Conversion processes know the number of their server. */
function countLeft(serverId: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(`quire-conversion-${serverId}-`)).length
}
