import { startTestServer } from '../../src/testing.ts'
import { damagedFiles, hostileFiles } from '../support/conversion/hostile-files.ts'
import { attach, download } from '../support/files.ts'
import { workbenchOn } from '../support/workbench.ts'

const wellEnded = new Set([200, 400, 404, 413, 422])
const atOnce = 4

/** Converts files that were made to do harm, and so many that are damaged. Gives whether each ends in a result or a clear refusal. */
export async function stressHostileFiles({ seed, rounds }: { readonly seed: number; readonly rounds: number }): Promise<boolean> {
  const server = await startTestServer({ settings: { conversionMemory: '600MB' } })
  const endings = new Map<number, number>()
  const failures: string[] = []
  const files = [...hostileFiles('http://127.0.0.1:9')].values()
  const damaged = damagedFiles(seed).take(rounds)
  const next = () => {
    const named = files.next()
    return named.done ? damaged.next() : named
  }
  const work = async () => {
    for (let one = next(); !one.done; one = next()) {
      const { what, name, mimeType, bytes, queries } = one.value
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': name }, { name: crypto.randomUUID() })
      await attach(server, uid, bytes(), { name, 'mime-type': mimeType })
      for (const query of queries) {
        const { status, text } = await download(server, `api/v1/id/${uid}/@convert?${query}`)
        endings.set(status, (endings.get(status) ?? 0) + 1)
        if (!wellEnded.has(status)) failures.push(`${what} ${query}: ${status} ${text.slice(0, 200)}`)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    await server.stop()
  }
  for (const failure of failures) console.log(`FAILED ${failure}`)
  console.log(
    `${failures.length === 0 ? 'ok    ' : 'FAILED'} hostile files, seed ${seed}: ${JSON.stringify(Object.fromEntries(endings))}`,
  )
  return failures.length === 0
}
