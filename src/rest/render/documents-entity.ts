import { memoised } from '../../base/cache/memo.ts'
import { stringifyJson } from '../../base/json.ts'
import type { Aggregate } from '../../core/search/aggregates/aggregate.ts'
import type { Page } from '../../core/search/page/page.ts'
import type { QuickFilterState } from '../../core/search/page/provider-page.ts'
import { attachedCache, type Document } from '../../model/document.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { aggregateSchema, writeAggregates } from './aggregate-entity.ts'
import {
  type AskedForm,
  asksForDocumentsAlone,
  type DocumentEntity,
  documentSchema,
  findWritten,
  isAsked,
  noteShown,
  type WrittenEntity,
  type WrittenList,
  writeDocument,
  writeVersionOf,
} from './document-entity.ts'
import { olderPlaceFields, placeFields, writeOlderPlace, writePlace } from './page-fields.ts'
import type { RenderContext } from './rendering.ts'

/** What a list may carry beside its entries and its place in the whole. */
export interface ListExtras {
  /** Shown when there is at least one. */
  readonly aggregates?: readonly Aggregate[]
  /** All that the provider defines, in its order; shown when there is at least one. */
  readonly quickFilters?: readonly QuickFilterState[]
}

/** Documents that were named. */
export const documentListSchema = Type.Object(
  { 'entity-type': Type.Literal('documents'), totalSize: Type.Integer(), entries: Type.Array(documentSchema) },
  { $id: 'DocumentList' },
)

/** Documents that were found. */
export const documentPageSchema = Type.Object(
  {
    'entity-type': Type.Literal('documents'),
    ...placeFields,
    totalSize: Type.Integer({ description: 'resultsCount' }),
    ...olderPlaceFields,
    aggregations: Type.Optional(Type.Record(aggregateSchema, { description: 'By their ids, where the provider has some' })),
    quickFilters: Type.Optional(Type.Array(Type.Object({ name: Type.String(), active: Type.Boolean() }))),
    entries: Type.Array(documentSchema),
  },
  { $id: 'DocumentPage' },
)

// A usual page looks things up at the same time, to ask a database about all of it together. Inside of others it is one after the
// other, or each level would multiply what is in memory before the first one is through.
const writtenAtOnce = 50

type DocumentList = Static<typeof documentListSchema>
type DocumentPage = Static<typeof documentPageSchema>

/** The `documents` entity. Without a page it is a plain list. */
export async function writeDocuments(
  context: RenderContext,
  documents: readonly Document[],
  page?: Page,
  extras: ListExtras = {},
): Promise<DocumentList | DocumentPage> {
  const entries = await writeEntries(context, documents)
  return { ...(await writeEnvelope(context, entries.length, page, extras)), entries }
}

/** JSON text, and the bytes that follow it. */
interface JsonParts {
  readonly text: string
  readonly rest?: Uint8Array
}

/** The same as JSON, joined from the texts that documents have of theirs already, or from bytes if these were joined before. */
export async function writeDocumentsText(
  context: RenderContext,
  documents: readonly Document[],
  page?: Page,
  extras: ListExtras = {},
): Promise<JsonParts> {
  const envelope = stringifyJson(await writeEnvelope(context, documents.length, page, extras))
  const text = `${envelope.slice(0, -1)},"entries":[`
  const isPlain = asksForDocumentsAlone(context)
  const known = isPlain ? findAnswered(context, documents) : undefined
  if (known !== undefined) return { text, rest: known }
  const entries = await writeEntryTexts(context, documents, isPlain)
  const rest = findJoined(documents, entries)
  if (rest === undefined) return { text: text + joined(entries) }
  keepAnswered(context, documents, { rest, characters: entries.reduce((sum, entry) => sum + entry.text.length, 0) })
  return { text, rest }
}

/** A list as it was answered with. */
interface AnsweredList extends AskedForm {
  /** In the texts of its entries. */
  readonly characters: number
  /** Behind the envelope; they weigh on the bound of its first document, and leave with it. */
  readonly rest: WeakRef<Uint8Array>
}

// A search gives the very same list for as long as none of the documents has changed.
const listsOf = memoised((_: readonly Document[]): AnsweredList[] => [])

/** The end of an answer with the very same list, in the same form. */
function findAnswered(context: RenderContext, documents: readonly Document[]): Uint8Array | undefined {
  const list = listsOf(documents).find((one) => isAsked(one, context))
  const bytes = list?.rest.deref()
  if (list === undefined || bytes === undefined) return undefined
  context.budget.spendTexts(documents.length, list.characters)
  for (const document of documents) noteShown(context, document)
  return bytes
}

function keepAnswered(
  context: RenderContext,
  documents: readonly Document[],
  { rest, characters }: { readonly rest: Uint8Array; readonly characters: number },
): void {
  const lists = listsOf(documents)
  const before = lists.findIndex((one) => isAsked(one, context))
  const { request, schemas } = context
  lists[before === -1 ? lists.length : before] = { baseUrl: request.baseUrl, schemas, characters, rest: new WeakRef(rest) }
}

function joined(entries: readonly WrittenEntity[]): string {
  return `${entries.map((entry) => entry.text).join(',')}]}`
}

/**
 * The bytes of all entries and of the end of the list, made when the same are asked for a second time: joining a page of 50 and turning it
 * into bytes takes a third of the time that answering with it does (measured). They are cached with the first of the documents and weigh
 * on the bound that it is under; a changed document has another text, and that another mark.
 */
function findJoined([first]: readonly Document[], entries: readonly WrittenEntity[]): Uint8Array | undefined {
  const [head] = entries
  const cached = first && attachedCache(first)
  if (cached === undefined || head?.mark === undefined) return undefined
  const { list } = head
  if (list === undefined || !isListOf(list, entries)) {
    const marks = entries.flatMap(({ mark }) => mark ?? [])
    head.list = marks.length === entries.length ? { marks } : undefined
    if (list?.bytes !== undefined) cached.grow(-list.bytes.length)
    return undefined
  }
  if (list.bytes !== undefined) return list.bytes
  const bytes = Buffer.from(joined(entries))
  head.list = { ...list, bytes }
  cached.grow(bytes.length)
  return bytes
}

function isListOf({ marks }: WrittenList, entries: readonly WrittenEntity[]): boolean {
  return marks.length === entries.length && entries.every(({ mark }, index) => mark === marks[index])
}

async function writeEnvelope(
  context: RenderContext,
  length: number,
  page: Page | undefined,
  extras: ListExtras,
): Promise<Omit<DocumentList, 'entries'> | Omit<DocumentPage, 'entries'>> {
  if (page === undefined) return { 'entity-type': 'documents', totalSize: length }
  return {
    'entity-type': 'documents',
    ...writePlace(page),
    totalSize: page.resultsCount,
    ...writeOlderPlace(page),
    ...(await writeExtras(context, extras)),
  }
}

async function writeEntryTexts(
  context: RenderContext,
  documents: readonly Document[],
  isPlain: boolean,
): Promise<readonly WrittenEntity[]> {
  const texts: WrittenEntity[] = []
  for (let start = 0; start < documents.length; start += writtenAtOnce) {
    const some = documents.slice(start, start + writtenAtOnce)
    const known = some.map((document) => findWritten(context, document, isPlain))
    const unknown = some.filter((_, index) => known[index] === undefined)
    const written = unknown.length === 0 ? [].values() : (await writeEntries(context, unknown)).values()
    for (const entity of known) texts.push(entity ?? { text: stringifyJson(written.next().value) })
    const resting = context.budget.rest()
    if (resting !== undefined) await resting
  }
  return texts
}

/** The entities of the documents in their order; they stand at the level of the context itself. */
export async function writeEntries(context: RenderContext, documents: readonly Document[]): Promise<readonly DocumentEntity[]> {
  const series = documents.filter((document) => document.isVersion).flatMap(({ seriesId }) => seriesId ?? [])
  if (series.length === 0) return writeAll(context, documents, (document) => writeDocument(context, document))
  const { reader, repository } = context.session
  const found = await reader.documents.findAll([...new Set(series)], repository.rules.maxListedBytes)
  const live = new Map(found.map((one) => [one.id, one]))
  return writeAll(context, documents, (document) =>
    document.isVersion ? writeVersionOf(context, document, live.get(document.seriesId ?? '')) : writeDocument(context, document),
  )
}

async function writeAll(
  { budget, level }: RenderContext,
  documents: readonly Document[],
  write: (document: Document) => DocumentEntity | Promise<DocumentEntity>,
): Promise<readonly DocumentEntity[]> {
  // What throws synchronously would leave the rejections of those before it unhandled.
  const attempt = (document: Document) => {
    try {
      return write(document)
    } catch (error) {
      return Promise.reject<DocumentEntity>(error)
    }
  }
  const atOnce = level === 0 ? writtenAtOnce : 1
  const entries: DocumentEntity[] = []
  for (let start = 0; start < documents.length; start += atOnce) {
    const written = settled(documents.slice(start, start + atOnce).map(attempt))
    entries.push(...(written instanceof Promise ? await written : written))
    const resting = budget.rest()
    if (resting !== undefined) await resting
  }
  return entries
}

function settled(
  entries: readonly (DocumentEntity | Promise<DocumentEntity>)[],
): readonly DocumentEntity[] | Promise<readonly DocumentEntity[]> {
  return entries.some((entry) => entry instanceof Promise) ? Promise.all(entries) : (entries as readonly DocumentEntity[])
}

async function writeExtras(
  context: RenderContext,
  { aggregates = [], quickFilters = [] }: ListExtras,
): Promise<Pick<DocumentPage, 'aggregations' | 'quickFilters'>> {
  return {
    ...(aggregates.length > 0 && { aggregations: await writeAggregates(context, aggregates) }),
    ...(quickFilters.length > 0 && { quickFilters: quickFilters.map(({ name, isActive }) => ({ name, active: isActive })) }),
  }
}
