import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { newId } from '../../base/ids.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { systemAccess } from '../../core/access.ts'
import { importDocument } from '../../core/documents/import-document.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { mayBeginIn } from '../../model/lifecycle.ts'
import { joinPath, requireName } from '../../model/path-segment.ts'
import { type ArchivedDocument, readArchived } from './archived-document.ts'
import { isExported, listXml, readXml, stageFrom } from './exported-archive.ts'
import { aclsFor, propertiesOf } from './place-archived.ts'
import { findChild, textAt } from './xml-tree.ts'
import { type OpenArchive, openArchive } from './zip-file.ts'

/** An export of another server on this machine. */
export interface ExportedArchive extends OpenArchive {
  close(): Promise<void>
}

export interface ExportedImport {
  readonly archive: ExportedArchive
  readonly repository: Repository
  /** The folder that its documents go to. */
  readonly target: Document
  readonly dryRun: boolean
  onDocuments?(count: number, total: number): void
  /** @throws */
  checkStop?(): void
}

export interface ExportedTally {
  readonly documents: number
  readonly imported: number
  /** Of the same name and type, and so from an earlier run: they stay as they are. */
  readonly there: number
  /** Documents whose ids were taken. */
  readonly renumbered: number
  /** Files that documents name and the archive has not: those came without them. */
  readonly missing: number
  /** The first of them, by the paths of their documents and their own names. */
  readonly missingFiles: readonly string[]
}

export const exportedTypesUnknown = defineProblem(
  'exportedTypesUnknown',
  'conflict',
  (of: { types: readonly string[] }) =>
    `The archive has documents of types that this server does not know: ${of.types.join(', ')}. Nothing was imported. ` +
    'List the plugins that define them in quire.config.ts.',
)

export const exportedNotImportable = defineProblem(
  'exportedNotImportable',
  'invalid',
  (of: { path: string; reason: string }) => `${of.path} of the archive cannot be imported: ${of.reason}`,
)

// A name and a place in the file for each: some hundred megabytes.
const limits = { maxEntries: 2_000_000, maxBytes: Number.POSITIVE_INFINITY }

/** Undefined where the file is no such archive. The caller closes it. @throws archiveNotImportable */
export async function openExported(path: string): Promise<ExportedArchive | undefined> {
  const file = await open(path)
  const close = () => file.close()
  try {
    const { size: length } = await file.stat()
    // Not a stream of the handle, which each would listen to until it is closed.
    const read = async (range?: object) => createReadStream(path, { ...range, fd: file.fd, autoClose: false })
    const archive = await openArchive({ name: basename(path), length, read }, limits, isExported)
    if (archive !== undefined) {
      const { names, refuse } = archive
      return { names, refuse, close, open: (name) => archive.open(name), readText: (name, max) => archive.readText(name, max) }
    }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  return undefined
}

const documentsAtOnce = 50
const mostMissingTold = 20

/** Folders of the archive that are here now, by the paths that they had: one whose name was taken has another now. */
type PlacedFolders = Map<string, DocumentId>

/**
 * Brings the documents of an export below a folder, each under the id it had unless that is taken. All are looked at before the first is
 * written. What is there by name and type stays, so that the next run goes on after one that was stopped.
 * @throws archiveNotImportable, exportedTypesUnknown, and what importing a document throws
 */
export async function importExported(run: ExportedImport): Promise<ExportedTally> {
  const { archive, repository, target, dryRun, checkStop, onDocuments } = run
  const names = [...listXml(archive)].sort(foldersFirst)
  await requireKnownTypes(run, names)
  let tally: ExportedTally = { documents: names.length, imported: 0, there: 0, renumbered: 0, missing: 0, missingFiles: [] }
  if (dryRun) return tally
  const placed: PlacedFolders = new Map()
  for (let start = 0; start < names.length; start += documentsAtOnce) {
    checkStop?.()
    const batch: ArchivedDocument[] = []
    const missing: string[] = []
    for (const name of names.slice(start, start + documentsAtOnce)) {
      const onMissing = (data: string) => missing.push(`${name.slice(0, 500)}: ${data.slice(0, 100)}`)
      const stage = stageFrom(archive, name, repository.blobs, { onMissing })
      const { root } = await readXml(archive, name)
      batch.push(await readArchived(repository.model, root, stage))
    }
    const before = {
      ...tally,
      missing: tally.missing + missing.length,
      missingFiles: [...tally.missingFiles, ...missing].slice(0, mostMissingTold),
    }
    tally = await systemAccess(repository).write(async (session) => {
      let counted = before
      for (const one of batch)
        counted = { ...counted, ...(await naming(one, () => place(session, { target, placed }, one, counted))) }
      return counted
    })
    onDocuments?.(batch.length, names.length)
  }
  return tally
}

/** By depth, and there in the order of names. */
function foldersFirst(left: string, right: string): number {
  return left.split('/').length - right.split('/').length || (left < right ? -1 : 1)
}

async function requireKnownTypes({ archive, repository, checkStop }: ExportedImport, names: readonly string[]): Promise<void> {
  const unknown = new Set<string>()
  for (const name of names) {
    checkStop?.()
    const { root } = await readXml(archive, name)
    const system = findChild(root, 'system')
    const type = textAt(system, 'type') ?? ''
    if (!repository.model.types.has(type)) unknown.add(type.slice(0, 100))
    const segments = (textAt(system, 'path') ?? '').split('/').filter((segment) => segment !== '')
    if (segments.length === 0) archive.refuse(`${name.slice(0, 200)} in it does not say where it was`)
    await naming({ names: segments }, async () => segments.forEach(requireName))
  }
  if (unknown.size > 0) throw exportedTypesUnknown({ types: [...unknown].sort() })
}

/** Says which document it was that something is wrong with. What is wrong with the database is about none. */
async function naming<Result>({ names }: Pick<ArchivedDocument, 'names'>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || !['invalid', 'unprocessable', 'tooLarge'].includes(error.kind)) throw error
    throw exportedNotImportable({ path: names.join('/').slice(0, 500), reason: error.message }, { cause: error })
  }
}

interface Placing {
  readonly target: Document
  readonly placed: PlacedFolders
}

async function place(session: WriteSession, { target, placed }: Placing, archived: ArchivedDocument, before: ExportedTally) {
  const { documents } = session.tx
  const parent = await findParent(session, { target, placed }, archived.names)
  const name = archived.names.at(-1) ?? ''
  const note = ({ id, type }: Pick<Document, 'id' | 'type'>) => {
    if (session.model.shapeOf({ type, facets: [] }).hasFacet('Folderish')) placed.set(archived.names.join('/'), id)
  }
  const isOfArchive = (found: Document | undefined) =>
    found !== undefined && found.parentId === parent.id && found.type === archived.type && !found.isProxy
  const derived = derivedId(target, archived)
  const [named, own, renamed] = [
    await documents.findChild(parent.id, name),
    await documents.find(archived.id),
    await documents.find(derived),
  ]
  // One whose name or id was taken is known by its id.
  const there = [named, own, renamed].find(isOfArchive)
  if (there !== undefined) {
    note(there)
    return { there: before.there + 1 }
  }
  const isTaken = !/^[\w-]{1,100}$/.test(archived.id) || own !== undefined
  const imported = await importDocument(session, {
    id: !isTaken ? archived.id : renamed === undefined ? derived : newId(),
    parent,
    name,
    type: archived.type,
    facets: archived.facets.filter((facet) => session.model.facets.has(facet)),
    acls: await aclsFor(session, parent, archived.acls),
    properties: propertiesOf(session, shapeOf(session, archived), { properties: {} }, archived),
    history: versionOf(archived),
    options: { dublincore: false, notifications: false, ...stateOf(session, archived) },
  })
  note(imported)
  return { imported: before.imported + 1, renumbered: before.renumbered + (isTaken ? 1 : 0) }
}

function shapeOf({ model }: WriteSession, { type, facets }: ArchivedDocument) {
  return model.shapeOf({ type, facets: facets.filter((facet) => model.facets.has(facet)) })
}

/**
 * Where the folder is that it was in. Of a document that was exported alone the path has folders that are not in the archive: it goes to
 * those of the same names below the target, or to the target itself.
 */
async function findParent({ tx }: WriteSession, { target, placed }: Placing, names: readonly string[]): Promise<Document> {
  const above = names.slice(0, -1).join('/')
  if (above === '') return target
  const id = placed.get(above)
  const found = id === undefined ? await tx.documents.findByPath(joinPath(target.path ?? '', above)) : await tx.documents.find(id)
  return found ?? target
}

/** The same for the same document and target, so that the next run knows again what this one brought. */
function derivedId({ id: targetId }: Document, { id, names }: ArchivedDocument): DocumentId {
  const digits = createHash('sha256')
    .update(JSON.stringify([targetId, id, names]))
    .digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

/** The numbers of the last version, of which the next one is counted. */
function versionOf({ properties }: ArchivedDocument): { readonly majorVersion?: number; readonly minorVersion?: number } {
  const numberAt = (name: string) => {
    const number = Number(properties[name] ?? Number.NaN)
    return Number.isSafeInteger(number) && number >= 0 ? number : undefined
  }
  const [majorVersion, minorVersion] = [numberAt('uid:major_version'), numberAt('uid:minor_version')]
  return { ...(majorVersion !== undefined && { majorVersion }), ...(minorVersion !== undefined && { minorVersion }) }
}

function stateOf({ model }: WriteSession, { type, state }: ArchivedDocument): { readonly initialState?: string } {
  const lifecycle = model.lifecycleOf(type)
  return state !== undefined && lifecycle !== undefined && mayBeginIn(lifecycle, state) ? { initialState: state } : {}
}
