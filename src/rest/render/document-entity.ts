import { stringifyJson } from '../../base/json.ts'
import { isWriting } from '../../core/access.ts'
import { mayRead } from '../../core/documents/read-document.ts'
import { attachedCache, type Document, isUnderRetentionOrHold, titleOf } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { Shape } from '../../model/shape.ts'
import { isImmutable, versionLabel } from '../../model/versioning.ts'
import { contentDisposition } from '../download/content-disposition.ts'
import { contentTypeOf } from '../download/download-headers.ts'
import { mayTake } from '../download/download-rule.ts'
import { contextParametersOf } from '../openapi/context-parameters.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { type BlobEntityWriter, type BlobWriter, blobWriterFor } from './blob-json.ts'
import { type DocumentPlan, documentPlan, type PropertiesPlan } from './document-plan.ts'
import { writeContextParameters } from './enrichment.ts'
import { type FetchWish, fetchReferences, parseFetchWish } from './fetched-references.ts'
import { type DocumentEnricher, type EntityWriter, isShownInFull, type RenderContext, shownChangeToken } from './rendering.ts'

const documentFields = {
  'entity-type': Type.Literal('document'),
  repository: Type.String(),
  uid: Type.String(),
  path: Type.Nullable(Type.String(), { description: 'Of a version, that of its live document, while there is one' }),
  type: Type.String(),
  state: Type.String({ description: 'Of its lifecycle' }),
  parentRef: Type.Nullable(Type.String()),
  isCheckedOut: Type.Boolean({ description: 'Whether it was changed since its last version' }),
  isRecord: Type.Boolean(),
  retainUntil: Type.Nullable(Type.Moment()),
  hasLegalHold: Type.Boolean(),
  isUnderRetentionOrLegalHold: Type.Boolean(),
  isVersion: Type.Boolean(),
  isProxy: Type.Boolean(),
  proxyTargetId: Type.Optional(Type.Nullable(Type.String(), { description: 'Of a proxy' })),
  versionableId: Type.Optional(Type.Nullable(Type.String(), { description: 'Of a version or a proxy: the live document' })),
  changeToken: Type.Nullable(Type.String(), {
    description: 'Sent back with a change, which is refused if another one came first',
  }),
  isTrashed: Type.Boolean(),
  title: Type.String(),
  versionLabel: Type.Optional(Type.String({ description: 'With `fetch.document: versionLabel`' })),
  lockOwner: Type.Optional(Type.String({ description: 'With `fetch.document: lock`, of a locked one' })),
  lockCreated: Type.Optional(Type.Moment()),
  lastModified: Type.Optional(Type.Unknown({ description: 'dc:modified' })),
  properties: Type.Optional(
    Type.Record(Type.Unknown(), { description: 'Values by xpath, of the schemas that the header `properties` asks for' }),
  ),
  facets: Type.Array(Type.String()),
  schemas: Type.Array(Type.Object({ name: Type.String(), prefix: Type.String() })),
  contextParameters: Type.Optional(contextParametersOf('document')),
}

export const documentSchema = Type.Object(documentFields, { $id: 'Document' })

/** Of a document that is not stored. */
export const emptyDocumentSchema = Type.Object(
  { ...documentFields, uid: Type.Null(), state: Type.Null(), changeToken: Type.Null() },
  { $id: 'EmptyDocument', description: 'A document that is not stored: what a form for a new one starts from' },
)

export type DocumentEntity = Static<typeof documentSchema>

// Filled in one by one, as what may be absent stands in the middle: spreading it took several times as long, and that for every
// document of a page.
type Draft = { -readonly [Name in keyof DocumentEntity]?: DocumentEntity[Name] }

/** What a form for a new document starts from. */
interface UnstoredDocument {
  readonly document: Document
  /** Where it would be created; null for nowhere in particular. */
  readonly parentPath: string | null
}

/** What the entity says of where the document is. */
interface Placement {
  readonly path: string | null
  readonly parentRef: string | null
  readonly isStored: boolean
}

export const documentWriter: EntityWriter = {
  entityType: 'document',
  schema: documentSchema,
  write: async (context, value) => writeDocument(context, value as Document),
}

/**
 * The `document` entity. Given at once when nothing has to be looked up for it: most documents are answered so, and a
 * promise for each of a page would cost more than the writing.
 */
export function writeDocument(context: RenderContext, document: Document): DocumentEntity | Promise<DocumentEntity> {
  if (document.isVersion) return writeVersion(context, document)
  return writeAt(context, document, ownPlacement(document))
}

/** The same of one that is not stored. */
export async function writeEmptyDocument(
  context: RenderContext,
  empty: UnstoredDocument,
): Promise<Static<typeof emptyDocumentSchema>> {
  const entity = await writeAt(context, empty.document, placementOfUnstored(empty))
  return { ...entity, uid: null, state: null, changeToken: null, title: titleOf({ ...empty.document, id: null }) }
}

/** Like `writeDocument`, for a version whose live document is at hand, or known to be gone. */
export function writeVersionOf(
  context: RenderContext,
  version: Document,
  live: Document | undefined,
): DocumentEntity | Promise<DocumentEntity> {
  return writeAt(context, version, { path: live?.path ?? null, parentRef: live?.parentId ?? null, isStored: true })
}

async function writeVersion(context: RenderContext, version: Document): Promise<DocumentEntity> {
  const live = version.seriesId === null ? undefined : await context.session.reader.documents.find(version.seriesId)
  return writeVersionOf(context, version, live)
}

function ownPlacement(document: Document): Placement {
  return { path: document.path ?? document.name, parentRef: document.parentId, isStored: true }
}

function placementOfUnstored({ document, parentPath }: UnstoredDocument): Placement {
  const name = document.name === '' ? null : document.name
  if (parentPath === null) return { path: name, parentRef: null, isStored: false }
  // Without a name the last segment is the word `null`; clients compare it.
  return { path: `${parentPath === '/' ? '' : parentPath}/${name}`, parentRef: parentPath, isStored: false }
}

function writeAt(context: RenderContext, document: Document, placement: Placement): DocumentEntity | Promise<DocumentEntity> {
  const { session } = context
  const shape = session.model.shapeOf(document)
  const plan = documentPlan(session.model, shape, document.isProxy)
  const fetch = context.fetch('document')
  const entity = writeBaseFields(context, document, placement)
  addVersionAndLock(entity, document, shape, context.services.facts.fetchHeavy ? heavyFields : fetch)
  const modified = document.properties['dc:modified']
  if (modified != null && plan.hasDublincore) entity.lastModified = modified
  const properties = planProperties(context, plan)
  const written = properties && writeProperties(context, document, placement, properties)
  if (written !== undefined) entity.properties = written.shown
  entity.facets = isImmutable(document) ? plan.immutableFacets : plan.facets
  entity.schemas = plan.schemas
  context.budget.spendEntity(written?.shown)
  noteShown(context, document)

  const addresses = written?.addresses
  const wish = written === undefined || fetch.length === 0 ? undefined : parseFetchWish(fetch)
  const enrichers = listEnrichers(context)
  if (wish === undefined && enrichers === undefined && addresses === undefined) return entity as DocumentEntity
  return complete(context, document, {
    entity,
    shown: written?.shown,
    isStored: placement.isStored,
    properties,
    wish,
    enrichers,
    addresses,
  })
}

/** What is shown may be shown again later, when the user may not see it any more. */
export function noteShown({ session }: RenderContext, { repository, id }: Document): void {
  session.principal.granted?.({ repository, document: id, permission: 'Read' })
}

function writeBaseFields(context: RenderContext, document: Document, { path, parentRef }: Placement): Draft {
  const { session } = context
  const { isVersion, isProxy } = document
  const entity: Draft = {
    'entity-type': 'document',
    repository: document.repository,
    uid: document.id,
    path,
    type: document.type,
    state: document.state,
    parentRef,
    isCheckedOut: !document.isCheckedIn,
    isRecord: document.isRecord,
    retainUntil: document.retainUntil,
    hasLegalHold: document.hasLegalHold,
    isUnderRetentionOrLegalHold: isUnderRetentionOrHold(document, session.now),
    isVersion,
    isProxy,
  }
  if (isProxy) entity.proxyTargetId = document.targetId
  if (isProxy || isVersion) entity.versionableId = document.seriesId
  entity.changeToken = shownChangeToken(session.repository.rules, document)
  entity.isTrashed = document.isTrashed
  entity.title = titleOf(document)
  return entity
}

/** Not every client wants these, so they are asked for, or always shown where the server is set to. */
const heavyFields = ['versionLabel', 'lock']

function addVersionAndLock(entity: Draft, document: Document, shape: Shape, wanted: readonly string[]): void {
  if (wanted.includes('versionLabel')) entity.versionLabel = versionLabel(document, shape)
  if (document.lock === null || !wanted.includes('lock')) return
  entity.lockOwner = document.lock.owner
  entity.lockCreated = document.lock.created
}

function planProperties(context: RenderContext, plan: DocumentPlan): PropertiesPlan | undefined {
  const { schemas } = context
  return schemas.length > 0 && isShownInFull(context) ? plan.properties(schemas) : undefined
}

function writeProperties(
  context: RenderContext,
  document: Document,
  { isStored }: Placement,
  plan: PropertiesPlan,
): { shown: Properties; addresses: StoreAddresses | undefined } {
  const writeBlob = blobWriterFor(context, document, isStored)
  const addresses = isStored ? findStoreAddresses(context, document, writeBlob) : undefined
  const shown = plan.write(document, addresses?.write ?? writeBlob)
  // The answer for a new document is posted back once it is filled in, so it holds nothing that would be refused.
  if (!isStored && !context.session.principal.isAdministrator) for (const name of plan.secured) delete shown[name]
  return { shown, addresses }
}

/** Undefined when no enricher is asked for that there is. */
function listEnrichers(context: RenderContext): readonly DocumentEnricher[] | undefined {
  const names = context.enrichers('document')
  if (names.length === 0 || !isShownInFull(context)) return undefined
  const known = names.flatMap((name) => context.rendering.findDocumentEnricher(name) ?? [])
  return known.length === 0 ? undefined : known
}

type Properties = ReturnType<PropertiesPlan['write']>

interface Unfinished {
  readonly entity: Draft
  /** Those of the entity. */
  readonly shown: Properties | undefined
  readonly isStored: boolean
  readonly properties: PropertiesPlan | undefined
  readonly wish: FetchWish | undefined
  readonly enrichers: readonly DocumentEnricher[] | undefined
  readonly addresses: StoreAddresses | undefined
}

async function complete(context: RenderContext, document: Document, unfinished: Unfinished): Promise<DocumentEntity> {
  const { entity, shown, isStored, properties, wish, enrichers, addresses } = unfinished
  await addresses?.fill()
  if (wish !== undefined && properties !== undefined && shown !== undefined) {
    await fetchReferences(context, wish, properties.referring, document.properties, shown)
  }
  if (enrichers !== undefined) {
    const told = isStored ? await listTelling(context, document, enrichers) : enrichers
    entity.contextParameters = await writeContextParameters(told, { document, isStored, context }, document.id)
  }
  return entity as DocumentEntity
}

/** Those that have something to tell the caller of the document. */
async function listTelling(
  { session }: RenderContext,
  document: Document,
  enrichers: readonly DocumentEnricher[],
): Promise<readonly DocumentEnricher[]> {
  const isForAll = ({ needsRead = false }: DocumentEnricher) => !needsRead
  return enrichers.every(isForAll) || (await mayRead(session, document)) ? enrichers : enrichers.filter(isForAll)
}

/** Blobs as they were written for a document, whose addresses are still to be replaced by those of the store. */
interface StoreAddresses {
  readonly write: BlobWriter
  /** Replaces them, but for those that may not be downloaded: our address checks that again. */
  fill(): Promise<void>
}

/** Undefined where the store has no addresses of its own, or they are not to be shown. */
function findStoreAddresses(context: RenderContext, document: Document, write: BlobEntityWriter): StoreAddresses | undefined {
  const { session, services } = context
  const { blobs } = session.repository
  if (!services.downloads.showsStoreAddresses || blobs.directUrl === undefined) return undefined
  const written: { readonly json: { data?: unknown }; readonly blob: BlobValue; readonly xpath: string }[] = []
  return {
    write(blob, xpath) {
      const json = write(blob, xpath)
      written.push({ json, blob, xpath })
      return json
    },
    async fill() {
      for (const { json, blob, xpath } of written) {
        if (!(await mayTake(services.downloads.rules, session, { blob, document, xpath, reason: 'download' }))) continue
        json.data = await blobs.directUrl?.(blob.key, {
          contentType: contentTypeOf(blob),
          contentDisposition: contentDisposition('attachment', blob.name?.trim() || 'file'),
          cacheControl: 'private',
        })
      }
    },
  }
}

/** The entity of a document as JSON text. */
export interface WrittenEntity {
  readonly text: string
  /** Of a text that is cached: another object than that of any other text, to compare with, which keeps nothing else in memory. */
  readonly mark?: object
  /** Cached with the text: the list that lately began with it. */
  list?: WrittenList | undefined
}

/** Entities that were asked for one behind the other. */
export interface WrittenList {
  readonly marks: readonly object[]
  /** The end of the list from the first of them on, once they were asked for again. */
  readonly bytes?: Uint8Array
}

/** What was asked for. */
export interface AskedForm {
  readonly baseUrl: string
  readonly schemas: readonly string[]
}

/** The same, and the text that answers it. */
interface CachedEntity extends WrittenEntity, AskedForm {}

// Clients ask for the same few schemas again and again; one that asks for new ones each time gains nothing here.
const maxTexts = 4

/**
 * The entity of a document as JSON text, cached with the document: a changed one is another value, so it cannot go stale.
 * Undefined when the entity depends on more than the document: on the caller, on other documents or on the time.
 * @param isPlain the same for all documents of an answer
 */
export function findWritten(
  context: RenderContext,
  document: Document,
  isPlain = asksForDocumentsAlone(context),
): WrittenEntity | undefined {
  if (!isPlain || !isOfItself(document)) return undefined
  const cached = attachedCache(document)
  const known = (cached?.values as readonly CachedEntity[] | undefined)?.find((one) => isAsked(one, context))
  if (known !== undefined) {
    context.budget.spendTexts(1, known.text.length)
    noteShown(context, document)
    return known
  }
  const entity = writeDocument(context, document)
  if (entity instanceof Promise) return undefined
  const text = stringifyJson(entity)
  if (cached === undefined || cached.values.length >= maxTexts) return { text }
  const fresh: CachedEntity = { baseUrl: context.request.baseUrl, schemas: context.schemas, text, mark: {}, list: undefined }
  cached.add(fresh, bytesOfText(text))
  return fresh
}

/** V8 stores a text in one byte a character, unless one of them is beyond Latin-1. */
function bytesOfText(text: string): number {
  return beyondLatin1.test(text) ? 2 * text.length : text.length
}

const beyondLatin1 = /[^\0-\xff]/

export function isAsked(cached: AskedForm, { request, schemas }: RenderContext): boolean {
  return (
    cached.baseUrl === request.baseUrl &&
    cached.schemas.length === schemas.length &&
    cached.schemas.every((schema, index) => schema === schemas[index])
  )
}

/** Whether entities show nothing but their documents: not what others know of them. */
export function asksForDocumentsAlone(context: RenderContext): boolean {
  // What a transaction has just made is not asked for again under this very value.
  if (isWriting(context.session)) return false
  return (
    context.fetch('document').length === 0 && context.enrichers('document').length === 0 && context.enrichers('blob').length === 0
  )
}

function isOfItself({ isVersion, isProxy, retainUntil }: Document): boolean {
  return !isVersion && !isProxy && retainUntil === null
}
