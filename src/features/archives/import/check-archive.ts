import { defineProblem } from '../../../base/problem.ts'
import type { Repository } from '../../../core/session.ts'
import { notDeserialisable } from '../../../model/properties/coercion.ts'
import { blobsIn } from '../../../model/properties/property.ts'
import { archiveDamaged } from '../format/archive-problems.ts'
import { fileNameOf } from '../format/archived-files.ts'
import { type DocumentLine, readLine } from '../format/document-line.ts'
import { readEntry } from '../format/entry-line.ts'
import { readHistory } from '../format/history-line.ts'
import { type PartName, partNames } from '../format/manifest.ts'
import { inBatches, type PlacedLine, readPart } from '../format/part-lines.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
import { ArchiveShape } from './archive-shape.ts'
import type { IdMap } from './id-map.ts'
import { type Administrators, RequiredAdministrator } from './required-administrator.ts'
import { typedProperties } from './typed-properties.ts'

export const typesUnknown = defineProblem(
  'typesUnknown',
  'conflict',
  (of: { types: readonly string[]; facets: readonly string[] }) =>
    `The archive has documents of ${namesOf('type', of.types)}${of.types.length > 0 && of.facets.length > 0 ? ' and ' : ''}` +
    `${namesOf('facet', of.facets)}, which this server does not know. Nothing was imported. List the plugins that define them in quire.config.ts.`,
)

function namesOf(kind: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `the ${kind}${names.length > 1 ? 's' : ''} ${names.join(', ')}`
}

/** The lines of a part, so many at a time; none where the archive has not got it. @throws archiveDamaged */
export async function* linesOf(archive: ReadableArchive, part: PartName, atOnce: number): AsyncGenerator<readonly PlacedLine[]> {
  const facts = archive.manifest.parts[part]
  if (facts === undefined) return
  const name = partNames[part]
  const content = await archive.open(name)
  if (content === undefined) throw archiveDamaged({ place: name, reason: 'it is missing' })
  try {
    yield* inBatches(readPart(content, name, facts), atOnce)
  } finally {
    content.destroy()
  }
}

// One look at the ids of all of them.
const atOnce = 500

export interface Check {
  readonly archive: ReadableArchive
  readonly repository: Repository
  /** Is told which ids are taken. */
  readonly ids: IdMap
  /** Who they are here, where the people of the archive are to come; undefined where they stay behind. */
  readonly administrators: Administrators | undefined
  /** Lines that an earlier run has imported already. */
  readonly done: number
  onLines?(count: number): void
  /** @throws */
  checkStop?(): void
}

/**
 * Reads all lines before any is imported: that they are whole, that the types are known here, that values are of the kinds that their
 * properties have, that files are there and as long as documents say. Their bytes are looked at when they are stored.
 * @throws archiveDamaged, typesUnknown, administratorMissing
 */
export async function checkArchive(check: Check): Promise<void> {
  const { archive, repository, checkStop, onLines } = check
  const types = new Set<string>()
  const facets = new Set<string>()
  const shape = new ArchiveShape(archive.manifest.root, repository.model)
  const lengths = await lengthsOfFiles(check)
  for await (const lines of linesOf(archive, 'documents', atOnce)) {
    checkStop?.()
    const read = lines.map(({ text, place, index }) => ({ ...readLine(text, place), place, index }))
    for (const one of read) {
      const { document } = one
      shape.take(one)
      if (!repository.model.types.has(document.type)) types.add(document.type)
      for (const facet of document.facets) if (!repository.model.facets.has(facet)) facets.add(facet)
      requireFiles(lengths, one)
    }
    if (types.size === 0 && facets.size === 0) for (const one of read) requireTyped(repository, one)
    // What a repository has that a whole one goes to is removed first.
    if (archive.manifest.root.path !== '/') await noteTaken(check, read)
    onLines?.(lines.length)
  }
  shape.end()
  if (types.size > 0 || facets.size > 0) throw typesUnknown({ types: [...types].sort(), facets: [...facets].sort() })
  await checkPeople(check)
  for await (const lines of linesOf(archive, 'audit', atOnce)) {
    checkStop?.()
    for (const { text, place } of lines) shape.requireHistory(readHistory(text, place), place)
  }
}

async function checkPeople({ archive, administrators, checkStop }: Check): Promise<void> {
  const required = administrators && new RequiredAdministrator(administrators)
  for await (const lines of linesOf(archive, 'people', atOnce)) {
    checkStop?.()
    for (const { text, place } of lines) {
      const entry = readEntry(text, place)
      required?.take(entry)
    }
  }
  required?.end()
}

/** By half of their digits, which tell a file from others: 50 MB for a million. Of those that were missing before nothing is known. */
async function lengthsOfFiles({ archive, checkStop }: Check): Promise<ReadonlyMap<string, number | undefined>> {
  const lengths = new Map<string, number | undefined>(archive.manifest.files.missing.map((key) => [half(key), undefined]))
  for await (const { key, length } of archive.files()) {
    checkStop?.()
    lengths.set(half(key), length)
  }
  return lengths
}

const half = (key: string) => key.slice(0, 32)

function requireFiles(lengths: ReadonlyMap<string, number | undefined>, { document, place }: Pick<Line, 'document' | 'place'>) {
  for (const { key, length } of Object.values(document.properties).flatMap(blobsIn)) {
    if (!lengths.has(half(key))) throw archiveDamaged({ place: fileNameOf(key), reason: 'it is missing' })
    const found = lengths.get(half(key))
    if (found !== undefined && found !== length)
      throw archiveDamaged({ place, reason: `${fileNameOf(key)} should have ${length} bytes and has ${found}` })
  }
}

type Line = DocumentLine & { readonly place: string }

function requireTyped({ model }: Repository, { document, place }: Line): void {
  try {
    typedProperties(model, document)
  } catch (cause) {
    if (!notDeserialisable.is(cause)) throw cause
    throw archiveDamaged({ place, reason: `the value of ${cause.details.xpath} is of another kind` }, { cause })
  }
}

/**
 * An id is taken where a document has it; what an earlier run has brought under its own id does not count, for there the new one would be
 * taken. Versions that proxies show are meant to be those that are here, if they are, and so are folders around the tree.
 */
async function noteTaken(check: Check, read: readonly (DocumentLine & { readonly index: number })[]): Promise<void> {
  const { repository, ids, done } = check
  const { documents } = repository.store.reader
  const shown = read.filter(({ part }) => part === 'shown')
  if (shown.length > 0) await noteSeries(check, shown)
  const sought = new Map(
    read
      .filter(({ part }) => part !== 'shown')
      .map((one) => [one.index < done ? ids.fresh(one.document.id) : one.document.id, one]),
  )
  for (const found of await documents.findAll([...sought.keys()])) {
    const { document, part } = sought.get(found.id) as DocumentLine
    if (part !== 'place' || found.path !== document.path) ids.add(document.id)
  }
}

/**
 * A version that is not here is none of a document that is: whoever wrote the archive could put anything into its series. It comes as one
 * of a document that is elsewhere, also when the run goes on that has brought it so.
 */
async function noteSeries({ repository, ids }: Check, shown: readonly DocumentLine[]): Promise<void> {
  const { documents } = repository.store.reader
  const here = new Map((await documents.findAll(shown.map(({ document }) => document.id))).map((one) => [one.id, one]))
  const series = [...new Set(shown.map(({ document }) => document.seriesId ?? ''))]
  const live = new Set((await documents.findAll(series)).map(({ id }) => id))
  for (const { document } of shown) {
    const { id, seriesId } = document
    if (seriesId === null || !live.has(seriesId)) continue
    const found = here.get(id)
    if (found === undefined || found.seriesId === ids.fresh(seriesId)) ids.add(seriesId)
  }
}
