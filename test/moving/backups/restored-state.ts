import type { DatabasePlace } from '../../support/database-place.ts'
import { findFlaws } from '../../support/repository-flaws.ts'
import { describeStored, type History, type State, type Writer } from './history.ts'

/** When a backup was begun and ended, by the clock of the history. */
export interface BackupTimes {
  readonly begun: number
  readonly ended: number
}

/**
 * Everything that tells a restored place from a state that was there while it was backed up, as sentences. What a writer had been answered
 * before is there; what was not sent yet is not; nothing is there by halves; and if one write is there, so is every other one that had been
 * answered before that was sent.
 */
export async function findLapses(place: DatabasePlace, { writers }: History, times: BackupTimes): Promise<readonly string[]> {
  const stored = await readStored(place)
  const lapses: string[] = []
  const spans = writers.map((writer) => {
    const found = asText(stored.get(writer.name) ?? new Map())
    const possible = writer.states.flatMap((state, count) => (asText(state) === found ? [count] : []))
    const [least = Number.NaN, most = Number.NaN] = [possible[0], possible.at(-1)]
    if (possible.length === 0)
      lapses.push(`${writer.name} was never in this state: ${difference(writer, stored.get(writer.name))}`)
    if (most < before(writer.answered, times.begun)) lapses.push(`${writer.name} lost what was answered before the backup began`)
    if (least > before(writer.sent, times.ended)) lapses.push(`${writer.name} has what was not sent before the backup ended`)
    return { writer, least, most }
  })
  const last = Math.max(0, ...spans.map(({ writer, least }) => writer.sent[least - 1] ?? 0))
  for (const { writer, most } of spans)
    if (most < before(writer.answered, last))
      lapses.push(`${writer.name} lost what was answered before something that is there was sent`)
  return [...lapses, ...(await findFlaws(place))]
}

const before = (moments: readonly number[], moment: number) => moments.filter((one) => one < moment).length

const asText = (state: State) => JSON.stringify([...state].sort(([left], [right]) => (left < right ? -1 : 1)))

/** From the last state it had, which says enough for somebody to look for the reason. */
function difference({ states }: Writer, found: State = new Map()): string {
  const expected = states.at(-1) ?? new Map<string, string>()
  const paths = new Set([...expected.keys(), ...found.keys()])
  const differing = [...paths].filter((path) => expected.get(path) !== found.get(path))
  return differing.map((path) => `${path}: ${found.get(path)} for ${expected.get(path)}`).join('; ')
}

async function readStored(place: DatabasePlace): Promise<ReadonlyMap<string, Map<string, string>>> {
  const rows = await place.query(`
    SELECT live.path, live.properties ->> 'dc:title' AS title, live.properties -> 'file:content' ->> 'digest' AS digest,
           (SELECT count(*) FROM documents AS version WHERE version.series_id = live.id AND version.is_version = 1) AS versions
      FROM documents AS live WHERE live.path LIKE '/default-domain/workspaces/writer-%'`)
  const states = new Map<string, Map<string, string>>()
  for (const { path, title, digest, versions } of rows) {
    const [name = '', ...rest] = String(path).slice('/default-domain/workspaces/'.length).split('/')
    const state = states.get(name) ?? new Map<string, string>()
    states.set(name, state)
    state.set(rest.join('/'), describeStored(String(title), digest === null ? null : String(digest), Number(versions)))
  }
  return states
}
