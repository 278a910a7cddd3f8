import type { Document, DocumentId } from '../model/document.ts'
import type { Properties } from '../model/properties/property.ts'
import type { VersioningOption } from '../model/versioning.ts'

/** What a step changed in a document without saving it. */
export interface Unsaved {
  readonly changes: Properties
  /** All facets that are to be the document's own. */
  readonly facets?: readonly string[]
  /** What is to be done when it is saved. */
  readonly versioning?: VersioningOption
  /** The token with which the client sent the document: a newer change by another client refuses the save. */
  readonly changeToken?: string
  /** The document itself was never stored. */
  readonly isNew?: true
}

/** Changes that wait for a step that saves. What no step saves is lost with the call. */
export class UnsavedChanges {
  readonly #byDocument: Map<DocumentId, Unsaved>

  constructor(entries: Iterable<readonly [DocumentId, Unsaved]> = []) {
    this.#byDocument = new Map(entries)
  }

  find(id: DocumentId): Unsaved | undefined {
    return this.#byDocument.get(id)
  }

  /** Puts the changes aside and gives the document as it looks with all that wait. */
  add(document: Document, { changes, ...rest }: Unsaved): Document {
    const before = this.#byDocument.get(document.id)
    const all = { ...before?.changes, ...changes }
    this.#byDocument.set(document.id, { ...before, ...rest, changes: all })
    return this.seenIn(document)
  }

  /** The document as it looks with all that waits for it. */
  seenIn(document: Document): Document {
    const { changes, facets = document.facets } = this.#byDocument.get(document.id) ?? {}
    return { ...document, facets, properties: { ...document.properties, ...changes } }
  }

  /** What waited for the document, which is then the caller's to save or to forget. */
  take(id: DocumentId): Unsaved | undefined {
    const found = this.#byDocument.get(id)
    this.#byDocument.delete(id)
    return found
  }

  /** The documents for which changes wait. */
  list(): readonly DocumentId[] {
    return [...this.#byDocument.keys()]
  }

  copy(): UnsavedChanges {
    return new UnsavedChanges(this.#byDocument)
  }

  /** Gives the function that brings back what waits now. */
  mark(): () => void {
    const before = [...this.#byDocument]
    return () => {
      this.#byDocument.clear()
      for (const [id, waiting] of before) this.#byDocument.set(id, waiting)
    }
  }
}
