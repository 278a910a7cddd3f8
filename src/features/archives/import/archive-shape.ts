import type { Model } from '../../../model/model.ts'
import { requireName } from '../../../model/path-segment.ts'
import { archiveDamaged } from '../format/archive-problems.ts'
import { type DocumentLine, endsOfRelations, isPlaceOfAttached, listsOfSubjects } from '../format/document-line.ts'
import type { Manifest } from '../format/manifest.ts'

type Line = DocumentLine & { readonly place: string }

/**
 * Holds the lines of an archive to what an export writes: one root, folders before what is in them, each id and each name in a folder once.
 * Whoever wrote the archive can then put nothing beside the place that it is imported to but tasks, workflows and relations of its own
 * documents, nor anything into the series or the history of a document that is here.
 */
export class ArchiveShape {
  readonly #root: Manifest['root']
  readonly #model: Model
  readonly #ids = new Set<string>()
  /** Paths of the documents of the tree. In any of them others may lie, as comments do. */
  readonly #paths = new Map<string, string>()
  readonly #names = new Set<string>()
  /** What lies elsewhere and is about documents of the tree: as many as there are tasks and workflows. */
  readonly #attachedPaths = new Map<string, string>()
  /** Versions that are shown, and folders on the way: their history is that of documents elsewhere. */
  readonly #surroundings = new Set<string>()

  constructor(root: Manifest['root'], model: Model) {
    this.#root = root
    this.#model = model
  }

  /** @throws archiveDamaged */
  take(line: Line): void {
    const { document, part, place } = line
    const refuse = (reason: string) => archiveDamaged({ place, reason })
    if (this.#ids.size === 0 && document.id !== this.#root.uid) throw refuse('it is not the root that the manifest names')
    if (this.#ids.has(document.id)) throw refuse('an earlier line has the same id')
    const isRoot = this.#ids.size === 0
    this.#ids.add(document.id)
    if (document.isProxy && (document.targetId === null || document.targetId === document.id))
      throw refuse('it is a proxy of nothing')
    if (isRoot && (document.isVersion || document.path === null)) throw refuse('the root has no place')
    if (part === 'shown' || part === 'place') this.#surroundings.add(document.id)
    if (document.isVersion) this.#requireSeries(line, refuse)
    if (part !== undefined) this.#requirePart(line, refuse)
    if (document.path === null) return
    if (isRoot) this.#requireRoot(document, refuse)
    else this.#requirePlace(line, refuse)
    if (part === undefined) this.#paths.set(document.id, document.path)
  }

  /** @throws archiveDamaged */
  end(): void {
    if (this.#ids.size === 0) throw archiveDamaged({ place: 'documents.jsonl', reason: 'it has no document' })
  }

  /** A row of the log is about a document of the archive; in that of a whole repository about anything. @throws archiveDamaged */
  requireHistory({ docUUID }: { readonly docUUID: string | null }, place: string): void {
    if (this.#root.path === '/') return
    if (docUUID === null || !this.#ids.has(docUUID) || this.#surroundings.has(docUUID))
      throw archiveDamaged({ place, reason: 'it is about a document that is not in the archive' })
  }

  #requireRoot(document: Line['document'], refuse: (reason: string) => Error): void {
    if (document.path !== '/') this.#requireNamed(document, refuse)
    else if (!this.#holdsDocuments(document)) throw refuse(`a ${document.type} is no root of a repository`)
    if (document.path !== this.#root.path) throw refuse('its path is not the one that the manifest names')
  }

  #requirePlace({ document, part }: Line, refuse: (reason: string) => Error): void {
    const { path, name, parentId } = document
    if (path === '/') {
      // Of what surrounds a tree the root is the first, and is here already.
      if (part === 'place') return
      throw refuse('a second document has the path /')
    }
    this.#requireNamed(document, refuse)
    const key = JSON.stringify([parentId, name])
    if (this.#names.has(key)) throw refuse('an earlier document of its folder has the same name')
    this.#names.add(key)
    if (part !== undefined) return
    const folder = this.#paths.get(parentId ?? '')
    if (folder === undefined) throw refuse('its folder is on no earlier line')
    if (path !== `${folder === '/' ? '' : folder}/${name}`) throw refuse('its path is not that of its folder and its name')
  }

  /** Beside a tree come versions that it shows, and what is about its documents, each to where the server itself would put it. */
  #requirePart({ document, part }: Line, refuse: (reason: string) => Error): void {
    const { path, parentId, properties } = document
    if (this.#root.path === '/') throw refuse('a whole repository has no parts beside it')
    if (part === 'shown') {
      if (!document.isVersion) throw refuse('only versions are shown from elsewhere')
      return
    }
    if (document.isVersion || document.isProxy) throw refuse('neither versions nor proxies lie beside a tree')
    const namesOne = (names: readonly string[]) =>
      names.some((name) => [properties[name] ?? null].flat().some((id) => typeof id === 'string' && this.#paths.has(id)))
    if (path === null) {
      if (part === 'attached' && namesOne(endsOfRelations)) return
      throw refuse('it has no place, and relates no document of the tree')
    }
    if (part === 'place' ? path !== '/' && !isPlaceOfAttached(path) : !isPlaceOfAttached(path))
      throw refuse('tasks and workflows lie elsewhere')
    if (part === 'place') return
    const above = this.#attachedPaths.get(parentId ?? '')
    if (above === undefined ? !namesOne(listsOfSubjects) : path !== `${above}/${document.name}`)
      throw refuse('it is about no document of the tree')
    this.#attachedPaths.set(document.id, path)
  }

  #requireNamed({ name, path }: Line['document'], refuse: (reason: string) => Error): void {
    try {
      requireName(name)
    } catch {
      throw refuse(`its name is none: ${JSON.stringify(name.slice(0, 100))}`)
    }
    if (!path?.endsWith(`/${name}`)) throw refuse('its path does not end with its name')
  }

  #requireSeries({ document, part }: Line, refuse: (reason: string) => Error): void {
    if (document.path !== null) throw refuse('it is a version and has a path')
    // In a whole repository live documents may be gone, and nothing is there that they could be taken for.
    if (part !== undefined || this.#root.path === '/') return
    if (!this.#ids.has(document.seriesId ?? '')) throw refuse('the document that it is a version of is on no earlier line')
  }

  #holdsDocuments(document: Line['document']): boolean {
    return !this.#model.types.has(document.type) || this.#model.shapeOf(document).hasFacet('Folderish')
  }
}
