import { defineProblem } from '../../base/problem.ts'
import type { Terminal } from '../../command/command.ts'
import { progressLine } from '../../command/progress-bar.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import type { PluginTables } from '../../store/tables.ts'
import type { RowSource } from '../../store/transfer/carried-database.ts'
import { type CarriedFacts, carryTables, countAll } from '../../store/transfer/carry-tables.ts'
import { copyFiles, type FilesTally, findMissingFiles, type ListedBlobs } from '../../store/transfer/copy-files.ts'
import {
  type CarriedPlace,
  completeCopy,
  type OpenTarget,
  openTarget,
  type Snapshots,
} from '../../store/transfer/open-carried.ts'

export interface CarryOver {
  /** As they are now; once for each look. */
  openSources(): Promise<Snapshots<RowSource>>
  readonly to: CarriedPlace
  readonly repositories: readonly string[]
  /** The id that the source has in common with its files. */
  readonly sourceId: string
  readonly tables: readonly PluginTables[]
  /** Of the tables of the source, where it may be an older one. */
  readonly schema?: number
  readonly leftOut: ReadonlySet<string>
  /** Absent where files stay where they are. */
  readonly files?: { readonly source: ListedBlobs; readonly target: BlobStore }
  readonly terminal?: Terminal | undefined
  isStopped(): boolean
  /** Makes what follows from rows, before the copy is called complete. */
  index(): Promise<void>
}

export interface CarriedResult {
  /** Both sides were found to be the same after the last change. */
  readonly isComplete: boolean
  readonly rounds: number
  /** By repository, of the last round. */
  readonly tables: ReadonlyMap<string, readonly CarriedFacts[]>
  /** Of all rounds. */
  readonly added: number
  readonly removed: number
  readonly files: FilesTally | undefined
  /** Keys that documents refer to and that the target has not. */
  readonly missing: readonly string[]
}

export const copyStopped = defineProblem(
  'copyStopped',
  'conflict',
  (_: object) => 'Stopped as asked. Give the same command once more: it goes on where it was.',
)

// What is written to the source meanwhile is brought over with the next look; one that is never at rest is not looked at for ever.
const mostRounds = 4

/** Makes the target what the source is. What is there already stays, so a call that was killed goes on. @throws copyStopped */
export async function carryOver(carry: CarryOver): Promise<CarriedResult> {
  const targets = new Map<string, OpenTarget>()
  const close = async () => {
    for (const target of targets.values()) await target.close()
    targets.clear()
  }
  const open = async () => {
    for (const repository of carry.repositories) targets.set(repository, await openTarget(carry.to, repository, wishOf(carry)))
  }
  try {
    await open()
    const result = await runRounds(carry, targets)
    if (!result.isComplete) return result
    await close()
    await carry.index()
    await markComplete(carry)
    return result
  } finally {
    await close()
    carry.terminal?.draw('')
  }
}

const wishOf = ({ sourceId: source, tables, schema }: CarryOver) => ({ source, tables, ...(schema !== undefined && { schema }) })

async function runRounds(carry: CarryOver, targets: ReadonlyMap<string, OpenTarget>): Promise<CarriedResult> {
  let [added, removed] = [0, 0]
  let files: FilesTally | undefined
  for (let round = 1; ; round += 1) {
    const tables = await carryRows(carry, targets, round)
    const facts = [...tables.values()].flat()
    added += sum(facts.map((one) => one.added))
    removed += sum(facts.map((one) => one.removed))
    const found = await carryFiles(carry, round)
    files =
      found === undefined
        ? undefined
        : { ...found, copied: found.copied + (files?.copied ?? 0), copiedBytes: found.copiedBytes + (files?.copiedBytes ?? 0) }
    const isSame = facts.every((one) => one.digest !== undefined) && (found?.copied ?? 0) === 0
    if (!isSame && round < mostRounds) continue
    const missing = carry.files === undefined ? [] : await listMissing(targets, carry.files.target)
    return { isComplete: isSame, rounds: round, tables, added, removed, files, missing }
  }
}

async function carryRows(carry: CarryOver, targets: ReadonlyMap<string, OpenTarget>, round: number) {
  const { sources, close } = await carry.openSources()
  try {
    const tables = new Map<string, readonly CarriedFacts[]>()
    for (const [repository, source] of sources) {
      const target = targets.get(repository)
      if (target === undefined) continue
      const { leftOut } = carry
      const onRows = progressOf(carry, await countAll({ source, leftOut }), `rows of ${repository} (look ${round})`)
      const facts: CarriedFacts[] = []
      for await (const one of carryTables({ source, target, leftOut, onRows, checkStop: stopping(carry) })) facts.push(one)
      tables.set(repository, facts)
    }
    return tables
  } finally {
    await close()
  }
}

async function carryFiles(carry: CarryOver, round: number): Promise<FilesTally | undefined> {
  if (carry.files === undefined) return undefined
  let done = 0
  const onFile = () => {
    done += 1
    carry.terminal?.draw(`files: ${done} looked at (look ${round})`)
  }
  return copyFiles({ ...carry.files, onFile, checkStop: stopping(carry) })
}

async function listMissing(targets: ReadonlyMap<string, OpenTarget>, blobs: BlobStore): Promise<readonly string[]> {
  const missing: string[] = []
  for (const target of targets.values()) missing.push(...(await findMissingFiles(target, blobs)))
  return missing
}

/** Only now may a server open it. */
async function markComplete({ to, repositories }: CarryOver): Promise<void> {
  for (const repository of repositories) await completeCopy(to, repository)
}

export function stopping({ isStopped }: Pick<CarryOver, 'isStopped'>): () => void {
  return () => {
    if (isStopped()) throw copyStopped({})
  }
}

function progressOf({ terminal }: Pick<CarryOver, 'terminal'>, total: number, unit: string): (count: number) => void {
  const started = performance.now()
  let done = 0
  return (count) => {
    done += count
    if (terminal === undefined || Math.floor(done / 1_000) === Math.floor((done - count) / 1_000)) return
    const facts = {
      done,
      total: Math.max(total, done),
      unit,
      seconds: (performance.now() - started) / 1_000,
    }
    terminal.draw(progressLine(facts, terminal.columns))
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
