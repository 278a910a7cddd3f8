import { join } from 'node:path'
import type { Place, Places } from '../place.ts'
import { startQuire } from '../quire-process.ts'
import type { Finding } from '../report/finding.ts'
import { median } from '../rounds.ts'
import type { Site } from '../site.ts'
import { bareAnswer } from './contenders.ts'

const starts = 5

/** How long it takes from starting the process to the first answer, beside a server of `node:http` that can do nothing. */
export async function measureStartUp(places: Places, sites: readonly Site[], scratch: string): Promise<readonly Finding[]> {
  await import('../../build/prepare.js') // what a release starts from
  const emptyPlace = (turn: number) => places.create(`empty_${turn}`, join(scratch, `empty-${turn}`))
  const empty = await measureStarts(emptyPlace)
  const title = 'start on an empty folder, until /runningstatus'
  const findings: Finding[] = [{ row: 'start-empty', title, files: 0, measure: { kind: 'time', ...empty, maxSeconds: 0.45 } }]
  for (const { files, place } of sites) {
    const existing = await measureStarts(() => place)
    const title = 'start on this repository, until /runningstatus'
    findings.push({ row: 'start-existing', title, files, measure: { kind: 'time', ...existing, maxSeconds: 0.35 } })
  }
  return findings
}

async function measureStarts(placeFor: (turn: number) => Place): Promise<{ seconds: number; bareSeconds: number }> {
  const quire: number[] = []
  const bare: number[] = []
  for (let turn = 0; turn < starts; turn++) {
    const server = await startQuire(placeFor(turn))
    quire.push(server.startSeconds)
    await server.stop()
    bare.push(await startBareServer())
  }
  return { seconds: median(quire), bareSeconds: median(bare) }
}

async function startBareServer(): Promise<number> {
  const started = performance.now()
  const program = await bareAnswer({ headers: [], body: '' })
  await (await fetch(program.url)).body?.cancel()
  const seconds = (performance.now() - started) / 1_000
  await program.stop()
  return seconds
}
