import { defineProblem } from '../base/problem.ts'
import { type ChangedContent, changesFor, type PropertyChanges, saveContent } from '../core/documents/save-document.ts'
import type { ClientSaveOptions } from '../core/save-options.ts'
import type { WriteSession } from '../core/session.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Properties } from '../model/properties/property.ts'
import type { VersioningOption } from '../model/versioning.ts'
import { defaulted } from './parameter.ts'

/** What a step changed in a document without saving it. */
interface Unsaved {
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

const neverStored = defineProblem(
  'neverStored',
  'invalid',
  (of: { type: string }) => `The ${of.type} was never stored. Create it below a folder with Document.Create first.`,
)

/** What is kept about a document is about one that others can find, too. @throws neverStored */
export function requireStored({ unsaved }: { readonly unsaved: UnsavedChanges }, { id, type }: Document): void {
  if (unsaved.find(id)?.isNew) throw neverStored({ type })
}

/** Of operations that change documents: whether they save them too. */
export const saveParameter = defaulted('boolean', true, { description: 'False: a later step of the chain saves the document' })

/** As much of the context of an operation as saving takes. */
interface Saving {
  readonly session: WriteSession
  readonly unsaved: UnsavedChanges
}

type Applying = ClientSaveOptions & { readonly save: boolean }

/** Stores the changes, with those that wait for a save, or lets them wait for a later step. @throws what saving throws */
export function applyChanges(
  saving: Saving,
  document: Document,
  changes: PropertyChanges,
  applying: Applying,
): Promise<Document> {
  return applyContent(saving, document, (current) => ({ properties: changesFor(current, changes) }), applying)
}

/** The same where the facets that are the document's own may change too. */
export async function applyContent(
  saving: Saving,
  document: Document,
  contentFor: (current: Document) => ChangedContent,
  { save, ...options }: Applying,
): Promise<Document> {
  if (save) return saveAll(saving, document, contentFor, options)
  const { changeToken, versioning } = options
  const { properties: changes, ...facets } = contentFor(saving.unsaved.seenIn(document))
  const waiting = { ...(changeToken !== undefined && { changeToken }), ...(versioning !== undefined && { versioning }) }
  return saving.unsaved.add(document, { changes, ...facets, ...waiting })
}

/** Stores what waits for a save. */
export function saveUnsaved(saving: Saving, document: Document): Promise<Document> {
  return saveAll(saving, document, () => ({ properties: {} }), {})
}

async function saveAll(
  { session, unsaved }: Saving,
  document: Document,
  contentFor: (current: Document) => ChangedContent,
  options: ClientSaveOptions,
): Promise<Document> {
  requireStored({ unsaved }, document)
  const { changes = {}, isNew: _, facets, ...waitingOptions }: Partial<Unsaved> = unsaved.find(document.id) ?? {}
  const waiting = { properties: changes, ...(facets !== undefined && { facets }) }
  const saved = await saveContent(
    session,
    document.id,
    (current) => {
      const content = contentFor({ ...current, ...waiting, properties: { ...current.properties, ...changes } })
      return { ...waiting, ...content, properties: { ...changes, ...content.properties } }
    },
    { ...waitingOptions, ...options },
  )
  unsaved.take(document.id)
  return saved
}
