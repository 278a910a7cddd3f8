import { type Document, type DocumentId, isAtOrBelow } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import type { Properties } from '../../../model/properties/property.ts'
import { texts } from '../../../model/properties/property-texts.ts'
import type { SnapshotDocuments } from '../../../store/snapshot.ts'
import type { DocumentLine } from '../format/document-line.ts'

interface ProxyTargets {
  /** Versions of documents elsewhere that proxies of the page show, each once in the whole archive. */
  readonly shown: readonly DocumentLine[]
  /** Proxies that point to a document elsewhere, which cannot come along. */
  readonly elsewhere: ReadonlySet<DocumentId>
}

/** Which documents belong to a tree that is exported without the rest. */
export interface TreeScope {
  readonly root: Document
  has(document: Document): boolean
  lookAtTargets(page: readonly Document[]): Promise<ProxyTargets>
  /** Without being in collections that are elsewhere, and collections without documents that are: neither would be true there. */
  withoutOthers(page: readonly DocumentLine[]): Promise<readonly DocumentLine[]>
}

export function createTreeScope(
  documents: SnapshotDocuments,
  root: Document,
  { mutualProperties: mutual }: Pick<Model, 'mutualProperties'>,
): TreeScope {
  // As many as there are versions elsewhere that the tree shows.
  const shownBefore = new Set<DocumentId>()
  const has = (document: Document) => isAtOrBelow(document, root)

  async function insideOf(ids: Iterable<DocumentId>): Promise<ReadonlyMap<DocumentId, Document>> {
    const found = await documents.findAll([...new Set(ids)])
    const liveIds = found.filter(({ isVersion }) => isVersion).map(({ seriesId }) => seriesId ?? '')
    const live = new Set((await documents.findAll([...new Set(liveIds)])).filter(has).map(({ id }) => id))
    const isInside = (one: Document) => (one.isVersion ? live.has(one.seriesId ?? '') : has(one))
    return new Map(found.filter(isInside).map((one) => [one.id, one]))
  }

  return {
    root,
    has,
    async lookAtTargets(page) {
      const proxies = page.filter(({ isProxy }) => isProxy)
      if (proxies.length === 0) return { shown: [], elsewhere: new Set() }
      const inside = await insideOf(proxies.map(({ targetId }) => targetId ?? ''))
      const outside = proxies.filter(({ targetId }) => !inside.has(targetId ?? ''))
      const versions = (await documents.findAll([...new Set(outside.map(({ targetId }) => targetId ?? ''))])).filter(
        ({ isVersion }) => isVersion,
      )
      const comes = new Set(versions.map(({ id }) => id))
      const fresh = versions.filter(({ id }) => !shownBefore.has(id))
      for (const { id } of fresh) shownBefore.add(id)
      return {
        shown: fresh.map((document) => ({ document, part: 'shown' })),
        elsewhere: new Set(outside.filter(({ targetId }) => !comes.has(targetId ?? '')).map(({ id }) => id)),
      }
    },
    async withoutOthers(page) {
      const named = page.flatMap(({ document }) => mutual.flatMap((name) => texts(document.properties[name])))
      if (named.length === 0) return page
      const inside = await insideOf(named)
      const withOnlyThose = (properties: Properties): Properties => {
        const left = mutual
          .filter((name) => Array.isArray(properties[name]))
          .map((name) => [name, (properties[name] as readonly string[]).filter((id) => inside.has(id))] as const)
        return { ...properties, ...Object.fromEntries(left) }
      }
      return page.map((one) => ({ ...one, document: { ...one.document, properties: withOnlyThose(one.document.properties) } }))
    },
  }
}
