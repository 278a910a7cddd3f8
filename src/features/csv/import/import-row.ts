import { newId } from '../../../base/ids.ts'
import { Problem } from '../../../base/problem.ts'
import { createDocument } from '../../../core/documents/create-document.ts'
import { importDocument } from '../../../core/documents/import-document.ts'
import { shapeSeen } from '../../../core/documents/proxies/proxy.ts'
import { findStored } from '../../../core/documents/read-document.ts'
import { saveDocument } from '../../../core/documents/save-document.ts'
import { hasPermission } from '../../../core/permissions.ts'
import type { SaveOptions } from '../../../core/save-options.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { offeredSubtypes } from '../../../model/document-type.ts'
import { mayBeginIn } from '../../../model/lifecycle.ts'
import { invalidName, joinPath, requireName } from '../../../model/path-segment.ts'
import { type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import type { BlobValue, Properties } from '../../../model/properties/property.ts'
import type { Shape } from '../../../model/shape.ts'
import { noSentBlobs } from '../../../rest/payload/sent-blobs.ts'
import { readOnlyProperty, readProperties } from '../../../rest/payload/sent-properties.ts'
import { type CellRules, cellJson, notConverted } from './cell-json.ts'
import { type LineOutcome, RowRefusal } from './row-refusal.ts'

/** One line of a file, of which the files that its cells name are staged. */
export interface CsvDocument {
  readonly name: string
  readonly type: string
  readonly state: string
  readonly uuid: string
  /** Of properties, by name; blank ones are left out. */
  readonly cells: ReadonlyMap<string, string>
  readonly blobs: ReadonlyMap<string, BlobValue>
}

export interface RowTarget extends CellRules {
  /** Below which names are looked up. */
  readonly path: string
  /** Documents come with their ids and dates. */
  readonly isImport: boolean
}

const keepsNoIds = 'Ids are kept with documentMode alone, by administrators. Send that, or leave the column ecm:uuid empty.'

/** Makes or changes the document of a line, in a transaction of which it can be undone alone. @throws RowRefusal */
export async function importRow(session: WriteSession, target: RowTarget, row: CsvDocument): Promise<LineOutcome> {
  const { path, ...place } = parsePlace(target.path, row.name)
  if (row.uuid !== '' && !target.isImport) throw new RowRefusal('unableToCreate', keepsNoIds, [path])
  const existing = await session.reader.documents.findByPath(path)
  if (existing !== undefined) return update(session, target, row, existing)
  return create(session, target, row, { path, ...place })
}

/** @throws RowRefusal */
function parsePlace(folder: string, text: string): NewPlace {
  try {
    const segments = text
      .split('/')
      .map(requireName)
      .filter((segment) => segment !== '')
    const path = segments.reduce(joinPath, folder)
    return { path, parentPath: segments.slice(0, -1).reduce(joinPath, folder), name: segments.at(-1) ?? '' }
  } catch (error) {
    if (invalidName.is(error)) throw new RowRefusal('unableToCreate', error.message, [text.slice(0, 100)], { cause: error })
    throw error
  }
}

async function update(session: WriteSession, target: RowTarget, row: CsvDocument, existing: Document): Promise<LineOutcome> {
  const path = existing.path ?? existing.id
  const options = optionsFor(target)
  const change = (current: Document) => readCells(session, target, row, shapeSeen(session.model, current), current)
  await translated('unableToUpdate', path, () => saveDocument(session, existing.id, change, options))
  return { status: 'SUCCESS', key: 'documentUpdated', params: [path], message: `${path} was updated.` }
}

interface NewPlace {
  readonly path: string
  readonly parentPath: string
  readonly name: string
}

async function create(session: WriteSession, target: RowTarget, row: CsvDocument, place: NewPlace): Promise<LineOutcome> {
  const { model } = session
  const { type } = row
  const { path, name } = place
  if (type === '') throw new RowRefusal('missingTypeValue', `${path} is not there, and the line names no type to create it.`)
  if (!model.types.has(type)) throw new RowRefusal('notExistingType', `There is no document type ${type.slice(0, 100)}.`, [type])
  if (row.uuid !== '' && (await findStored(session, row.uuid)) !== undefined) {
    return {
      status: 'SKIPPED',
      key: 'documentAlreadyExists',
      params: [row.uuid],
      message: `There is a document ${row.uuid} already.`,
    }
  }
  const parent = await readParent(session, place, type)
  await requireState(session, parent, row)
  const options = { ...optionsFor(target), ...(row.state !== '' && { initialState: row.state }) }
  const properties = (empty: Document) => readCells(session, target, row, model.shapeOf(empty), empty)
  await translated('unableToCreate', path, async () => {
    if (!target.isImport) return createDocument(session, { parent, type, name, properties, options })
    const own = readCells(session, target, row, model.shapeOf({ type }), { properties: {} })
    return importDocument(session, { id: row.uuid || newId(), parent, type, name, properties: own, options })
  })
  return { status: 'SUCCESS', key: 'documentCreated', params: [path], message: `${path} was created.` }
}

/** One that the caller may not see is not there. */
async function readParent(session: WriteSession, { parentPath }: NewPlace, type: string): Promise<Document> {
  const parent = await session.reader.documents.findByPath(parentPath)
  if (parent === undefined || !(await hasPermission(session, parent, 'Read')))
    throw new RowRefusal('parentDoesNotExist', `There is no folder ${parentPath}.`, [parentPath])
  const folderType = session.model.types.get(parent.type)
  if (folderType === undefined || !offeredSubtypes(folderType).includes(type))
    throw new RowRefusal('notAllowedSubType', `${parentPath} of type ${parent.type} holds no ${type}.`, [type, parent.type])
  return parent
}

/** Into another state than the first a document comes by a transition, so that takes the right to it. */
async function requireState(session: WriteSession, parent: Document, { type, state }: CsvDocument): Promise<void> {
  if (state === '') return
  const lifecycle = session.model.lifecycleOf(type)
  if (lifecycle === undefined || !mayBeginIn(lifecycle, state))
    throw notConverted('ecm:lifeCycleState', state, `is no state in which a ${type} can be`)
  if (lifecycle.initial !== state && !(await hasPermission(session, parent, 'WriteLifeCycle')))
    throw new RowRefusal('unableToCreate', `It takes the right WriteLifeCycle to create a document in the state ${state}.`)
}

/** An import keeps the dates that it brings. */
function optionsFor({ isImport }: RowTarget): SaveOptions {
  return { source: 'csvImport', ...(isImport && { dublincore: false }) }
}

/** @throws RowRefusal */
function readCells(
  { model, principal }: WriteSession,
  target: RowTarget,
  { cells, blobs }: CsvDocument,
  shape: Shape,
  current: Pick<Document, 'properties'>,
): Properties {
  const sent: { [name: string]: JsonObject[string] } = {}
  for (const [column, cell] of cells) {
    const property = model.findProperty(column)
    if (property === undefined || !shape.properties.has(property.name))
      throw new RowRefusal('notExistingField', `A ${shape.type.name} has no property ${column}.`, [column])
    if (property.isSecured && !principal.isAdministrator) throw notConverted(column, cell, 'is for administrators to set')
    if (!blobs.has(column)) sent[property.name] = cellJson(column, property.field.type, cell, target)
  }
  addContributor(shape, sent, current)
  try {
    const read = readProperties(sent, { model, shape, principal, current, blobs: noSentBlobs, emptyStringIsNull: false })
    return {
      ...read,
      ...Object.fromEntries([...blobs].map(([column, blob]) => [model.findProperty(column)?.name ?? column, blob])),
    }
  } catch (error) {
    if (notDeserialisable.is(error)) {
      const { xpath } = error.details
      throw notConverted(xpath, cells.get(xpath.split('/', 1)[0] ?? '') ?? '', 'does not fit', error)
    }
    if (readOnlyProperty.is(error))
      throw new RowRefusal('cannotConvertFieldValue', error.message, [error.details.field], { cause: error })
    throw error
  }
}

/** Who made a document has contributed to it. */
function addContributor(
  shape: Shape,
  sent: { [name: string]: JsonObject[string] },
  { properties }: Pick<Document, 'properties'>,
): void {
  const { 'dc:creator': creator } = sent
  if (typeof creator !== 'string' || !shape.properties.has('dc:contributors')) return
  const before = sent['dc:contributors'] ?? (properties['dc:contributors'] as JsonObject[string] | undefined)
  sent['dc:contributors'] = [...new Set([...(Array.isArray(before) ? before : []), creator])]
}

/** What the repository has against it, as the outcome of a line. */
async function translated(key: 'unableToCreate' | 'unableToUpdate', path: string, run: () => Promise<Document>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof Problem && isRefusal(error)) throw new RowRefusal(key, error.message, [path], { cause: error })
    throw error
  }
}

/** Not what goes well another time: the transaction that it belongs to is tried again. */
function isRefusal({ kind }: Problem): boolean {
  return kind !== 'failed' && kind !== 'unavailable' && kind !== 'noSpace'
}
