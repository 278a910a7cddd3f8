import type { Document, DocumentId } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { SnapshotDocuments } from '../../../store/snapshot.ts'
import type { DocumentLine } from '../format/document-line.ts'
import { everyAttached } from './attached-documents.ts'
import { createTreeScope, type TreeScope } from './tree-scope.ts'

// A page of large documents is still a few megabytes.
const atOnce = 100

/**
 * All documents of the whole repository, or of a tree, a folder before what is in it and each before its versions. With a tree come the
 * versions that its proxies show, and what is about its documents: tasks, workflows, relations.
 */
export async function* everyExported(
  documents: SnapshotDocuments,
  root: Document,
  model: Pick<Model, 'mutualProperties'>,
): AsyncGenerator<readonly DocumentLine[]> {
  const isWhole = root.path === '/'
  const scope = isWhole ? undefined : createTreeScope(documents, root, model)
  yield* pageOf(documents, [root], scope)
  for await (const page of everyBelow(documents, root)) yield* pageOf(documents, page, scope)
  if (scope !== undefined) yield* everyAttached(documents, scope)
  else yield* everyWithoutPlace(documents)
}

async function* everyBelow(documents: SnapshotDocuments, { path, isProxy }: Document): AsyncGenerator<readonly Document[]> {
  if (path === null || isProxy) return
  for (let after: string | undefined; ; ) {
    const page = await documents.listBelow(path, after, atOnce)
    if (page.length > 0) yield page
    const last = page.at(-1)?.path
    if (last === undefined || last === null || page.length < atOnce) return
    after = last
  }
}

async function* pageOf(documents: SnapshotDocuments, page: readonly Document[], scope: TreeScope | undefined) {
  const targets = scope === undefined ? undefined : await scope.lookAtTargets(page)
  if (targets !== undefined && targets.shown.length > 0) yield targets.shown
  const versions = await versionsOf(documents, page)
  const isElsewhere = (document: Document) => targets?.elsewhere.has(document.id) === true
  const whole = page.flatMap((document): readonly DocumentLine[] => [
    { document, ...(isElsewhere(document) && { isTargetElsewhere: true }) },
    ...(versions.get(document.id) ?? []).map((version) => ({ document: version })),
  ])
  yield scope === undefined ? whole : await scope.withoutOthers(whole)
}

async function versionsOf(
  documents: SnapshotDocuments,
  page: readonly Document[],
): Promise<ReadonlyMap<DocumentId | null, readonly Document[]>> {
  const live = page.filter(({ isProxy }) => !isProxy).map(({ id }) => id)
  return Map.groupBy(await documents.listVersionsOfAll(live), ({ seriesId }) => seriesId)
}

async function* everyWithoutPlace(documents: SnapshotDocuments): AsyncGenerator<readonly DocumentLine[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { documents: page, last } = await documents.listPlaceless(after, atOnce)
    if (page.length > 0) yield* pageOf(documents, page, undefined)
    after = last
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { documents: page, last } = await documents.listOrphanVersions(after, atOnce)
    if (page.length > 0) yield page.map((document) => ({ document }))
    after = last
  }
}
