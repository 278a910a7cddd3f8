import type { Aggregate } from '../core/search/aggregates/aggregate.ts'
import type { Page } from '../core/search/page.ts'
import type { QuickFilterState } from '../core/search/provider-page.ts'
import type { Document } from '../model/document.ts'
import { writeAggregates } from './aggregate-entity.ts'
import { type Entity, writeDocument, writeVersionOf } from './document-entity.ts'
import { writePage } from './page-fields.ts'
import type { RenderContext } from './rendering.ts'

/** What a list may carry beside its entries and its place in the whole. */
export interface ListExtras {
  /** Shown when there is at least one. */
  readonly aggregates?: readonly Aggregate[]
  /** All that the provider defines, in its order; shown when there is at least one. */
  readonly quickFilters?: readonly QuickFilterState[]
}

/** The `documents` entity. Without a page it is a plain list. */
export async function writeDocuments(
  context: RenderContext,
  documents: readonly Document[],
  page?: Page,
  extras: ListExtras = {},
): Promise<Entity> {
  const entries = await writeEntries(context, documents)
  if (page === undefined) return { 'entity-type': 'documents', totalSize: entries.length, entries }
  return { 'entity-type': 'documents', ...writePage(page), ...(await writeExtras(context, extras)), entries }
}

/** The entities of the documents in their order; they stand at the level of the context itself. */
export async function writeEntries(context: RenderContext, documents: readonly Document[]): Promise<readonly Entity[]> {
  const series = documents.filter((document) => document.isVersion).flatMap(({ seriesId }) => seriesId ?? [])
  if (series.length === 0) return settled(documents.map((document) => writeDocument(context, document)))
  const live = new Map((await context.session.reader.documents.findAll([...new Set(series)])).map((one) => [one.id, one]))
  return settled(
    documents.map((document) =>
      document.isVersion
        ? writeVersionOf(context, document, live.get(document.seriesId ?? ''))
        : writeDocument(context, document),
    ),
  )
}

function settled(entries: readonly (Entity | Promise<Entity>)[]): readonly Entity[] | Promise<readonly Entity[]> {
  return entries.some((entry) => entry instanceof Promise) ? Promise.all(entries) : (entries as readonly Entity[])
}

async function writeExtras(context: RenderContext, { aggregates = [], quickFilters = [] }: ListExtras): Promise<Entity> {
  return {
    ...(aggregates.length > 0 && { aggregations: await writeAggregates(context, aggregates) }),
    ...(quickFilters.length > 0 && { quickFilters: quickFilters.map(({ name, isActive }) => ({ name, active: isActive })) }),
  }
}
