import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { partNames } from '../../src/features/archives/format/manifest.ts'
import type { ReadableArchive } from '../../src/features/archives/source/archive-source.ts'
import { findArchive } from '../../src/features/archives/source/open-archive.ts'

export interface ComparedArchives {
  readonly lines: number
  readonly files: number
  /** As sentences, the first few. */
  readonly differences: readonly string[]
}

const mostTold = 10

/** Compares two archives record by record, and their files by their digests, without holding either. */
export async function compareArchives(left: string, right: string): Promise<ComparedArchives> {
  const [ours, theirs] = [await readArchive(left), await readArchive(right)]
  const differences: string[] = []
  const tell = (sentence: string) => void (differences.length < mostTold && differences.push(sentence))
  try {
    let lines = 0
    for (const name of Object.values(partNames)) lines += await compareLines(name, ours, theirs, tell)
    return { lines, files: await compareFiles(ours, theirs, tell), differences }
  } finally {
    await ours.close()
    await theirs.close()
  }
}

async function readArchive(path: string): Promise<ReadableArchive> {
  const archive = await findArchive(path)
  if (archive === undefined) throw new Error(`${path} is no archive.`)
  return archive
}

async function compareLines(
  name: string,
  left: ReadableArchive,
  right: ReadableArchive,
  tell: (sentence: string) => void,
): Promise<number> {
  const [ours, theirs] = [await left.open(name), await right.open(name)]
  if (ours === undefined || theirs === undefined) {
    if (ours !== theirs) tell(`only one of them has ${name}`)
    return 0
  }
  const others = linesOf(theirs)
  let count = 0
  for await (const line of linesOf(ours)) {
    count += 1
    const { value: other } = await others.next()
    if (line !== other) tell(`line ${count} of ${name}: ${line.slice(0, 300)} and ${String(other).slice(0, 300)}`)
  }
  if (!(await others.next()).done) tell(`the second has more of ${name}`)
  return count
}

async function* linesOf(content: Readable): AsyncGenerator<string> {
  yield* createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })
}

async function compareFiles(left: ReadableArchive, right: ReadableArchive, tell: (sentence: string) => void): Promise<number> {
  const digests = new Map<string, string>()
  for await (const { key, open } of left.files()) digests.set(key, await digestOf(await open()))
  const count = digests.size
  for await (const { key, open } of right.files()) {
    const digest = await digestOf(await open())
    if (digests.get(key) !== digest) tell(`the file ${key}: ${digests.get(key) ?? 'none'} and ${digest}`)
    digests.delete(key)
  }
  for (const key of digests.keys()) tell(`the file ${key} is missing in the second`)
  return count
}

async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
