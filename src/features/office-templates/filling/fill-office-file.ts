import { Readable } from 'node:stream'
import type { ZipEntry } from '../../../base/zip/write-zip.ts'
import type { ZipEntries } from '../../conversion/index.ts'
import type { TemplatePiece } from '../../rendering/index.ts'
import type { OfficeKind } from './office-kinds.ts'
import { piecesOfPart } from './office-pieces.ts'
import {
  type PlacedPicture,
  placePictures,
  type TemplatePicture,
  withContentTypes,
  withManifestEntries,
  withRelations,
} from './pictures.ts'
import type { MarkBudget } from './placeholders.ts'
import { officeFileDamaged } from './problems.ts'
import { type OfficeElement, parseXml, type TreeBudget } from './xml-tree.ts'

/** What a template is filled in with. */
export interface Filling {
  render(pieces: readonly TemplatePiece[], written: (text: string) => string): Promise<string>
  /** Parameters that whatever shows them is repeated for. */
  readonly loops: ReadonlySet<string>
  readonly pictures: readonly TemplatePicture[]
  /** Called after each piece of work, and waited for. */
  rest(): Promise<void> | undefined
}

const [maxElements, maxMarks, maxBlockMarks] = [200_000, 20_000, 4_000]

interface Work {
  readonly zip: ZipEntries
  readonly kind: OfficeKind
  readonly filling: Filling
  readonly budget: TreeBudget & MarkBudget
  /** Parts of the result that differ from those of the template, by name. */
  readonly replaced: Map<string, Buffer>
}

/**
 * The entries of the file that a template becomes. All is decided before the first one is written.
 * @throws officeFileDamaged, wrongOfficeTemplate, templateTooLarge, expressionWrong, what rendering throws
 */
export async function filledEntries(zip: ZipEntries, kind: OfficeKind, filling: Filling): Promise<AsyncGenerator<ZipEntry>> {
  const budget = { elements: maxElements, marks: maxMarks, blockMarks: maxBlockMarks, rest: () => filling.rest() }
  const work: Work = { zip, kind, filling, budget, replaced: new Map() }
  const placed: PlacedPicture[] = []
  for (const [index, pattern] of kind.family.parts.entries()) {
    const parts = zip.names.filter((name) => pattern.test(name))
    if (index === 0 && parts.length === 0) throw officeFileDamaged({ reason: `It is no ${kind.name} file: its text is missing.` })
    for (const part of parts) placed.push(...(await fillPart(work, part)))
  }
  if (placed.length > 0) await addPictures(work, placed)
  return entriesOf(work)
}

async function fillPart({ zip, kind, filling, budget, replaced }: Work, part: string): Promise<readonly PlacedPicture[]> {
  const root = await parseXml((await zip.text(part)) ?? '', part, budget)
  const placed = placePictures(root, kind, part, filling.pictures)
  const pieces = await piecesOfPart(root, kind.family, { part, loops: filling.loops, budget })
  replaced.set(part, Buffer.from(await filling.render(pieces, kind.family.written)))
  return placed
}

async function addPictures(work: Work, placed: readonly PlacedPicture[]): Promise<void> {
  for (const { path, picture } of placed) work.replaced.set(path, picture.bytes)
  if (work.kind.name === 'odt') return rewrite(work, 'META-INF/manifest.xml', (manifest) => withManifestEntries(manifest, placed))
  await rewrite(work, '[Content_Types].xml', (types) => withContentTypes(types, placed))
  for (const part of new Set(placed.map((one) => one.part))) {
    const own = placed.filter((one) => one.part === part)
    await rewrite(work, part.replace(/([^/]+)$/, '_rels/$1.rels'), (relations) => withRelations(relations, own), noRelations)
  }
}

const noRelations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

async function rewrite(
  { zip, budget, replaced }: Work,
  part: string,
  change: (root: OfficeElement) => string,
  absent?: string,
): Promise<void> {
  const xml = (await zip.text(part)) ?? absent
  if (xml === undefined) throw officeFileDamaged({ reason: `There is no ${part} in it.` })
  replaced.set(part, Buffer.from(change(await parseXml(xml, part, budget))))
}

// The result is the same whenever it is made of the same.
const modified = new Date('2000-01-01T00:00:00.000Z')
const typeEntry = 'mimetype'

async function* entriesOf({ zip, kind, replaced }: Work): AsyncGenerator<ZipEntry> {
  // By these first bytes programs know what the file is.
  const type = kind.name === 'odt' ? await zip.bytes(typeEntry) : undefined
  if (type !== undefined) yield { name: typeEntry, modified, stored: type }
  const added = [...replaced.keys()].filter((name) => !zip.names.includes(name))
  for (const name of [...zip.names, ...added]) {
    if (name === typeEntry || name.endsWith('/')) continue
    const bytes = replaced.get(name) ?? (await zip.bytes(name)) ?? Buffer.alloc(0)
    yield {
      name,
      modified,
      ...(bytes.length > 0 && { content: { length: bytes.length, open: async () => Readable.from([bytes]) } }),
    }
  }
}
