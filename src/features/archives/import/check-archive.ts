import { defineProblem } from '../../../base/problem.ts'
import type { Repository } from '../../../core/session.ts'
import { notDeserialisable } from '../../../model/properties/coercion.ts'
import { archiveDamaged } from '../format/archive-problems.ts'
import { type DocumentLine, readLine } from '../format/document-line.ts'
import { readEntry } from '../format/entry-line.ts'
import { readHistory } from '../format/history-line.ts'
import { type PartName, partNames } from '../format/manifest.ts'
import { inBatches, type PlacedLine, readPart } from '../format/part-lines.ts'
import type { ReadableArchive } from '../source/archive-source.ts'
import { ArchiveShape } from './archive-shape.ts'
import type { IdMap } from './id-map.ts'
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
  /** Lines that an earlier run has imported already. */
  readonly done: number
  onLines?(count: number): void
  /** @throws */
  checkStop?(): void
}

/**
 * Reads all lines before any is imported: that they are whole, that the types are known here, that values are of the kinds that their
 * properties have. Files are looked at when they are stored. @throws archiveDamaged, typesUnknown
 */
export async function checkArchive(check: Check): Promise<void> {
  const { archive, repository, checkStop, onLines } = check
  const types = new Set<string>()
  const facets = new Set<string>()
  const shape = new ArchiveShape(archive.manifest.root, repository.model)
  for await (const lines of linesOf(archive, 'documents', atOnce)) {
    checkStop?.()
    const read = lines.map(({ text, place, index }) => ({ ...readLine(text, place), place, index }))
    for (const one of read) {
      const { document } = one
      shape.take(one)
      if (!repository.model.types.has(document.type)) types.add(document.type)
      for (const facet of document.facets) if (!repository.model.facets.has(facet)) facets.add(facet)
    }
    if (types.size === 0 && facets.size === 0) for (const one of read) requireTyped(repository, one)
    // What a repository has that a whole one goes to is removed first.
    if (archive.manifest.root.path !== '/') await noteTaken(check, read)
    onLines?.(lines.length)
  }
  shape.end()
  if (types.size > 0 || facets.size > 0) throw typesUnknown({ types: [...types].sort(), facets: [...facets].sort() })
  for await (const lines of linesOf(archive, 'people', atOnce)) {
    checkStop?.()
    for (const { text, place } of lines) readEntry(text, place)
  }
  for await (const lines of linesOf(archive, 'audit', atOnce)) {
    checkStop?.()
    for (const { text, place } of lines) readHistory(text, place)
  }
}

function requireTyped({ model }: Repository, { document, place }: DocumentLine & { readonly place: string }): void {
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
async function noteTaken({ repository, ids, done }: Check, read: readonly (DocumentLine & { readonly index: number })[]) {
  const { documents } = repository.store.reader
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
