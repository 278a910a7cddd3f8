import { defineProblem } from '../base/problem.ts'
import { type ChangedContent, changesFor, type PropertyChanges, saveContent } from '../core/documents/save-document.ts'
import type { ClientSaveOptions } from '../core/save-options.ts'
import type { WriteSession } from '../core/session.ts'
import type { Document } from '../model/document.ts'
import type { OperationContext } from './context.ts'
import { defaulted } from './parameter.ts'
import type { Unsaved } from './unsaved-changes.ts'

export const neverStored = defineProblem(
  'neverStored',
  'invalid',
  (of: { type: string }) =>
    `The ${of.type} was never stored. Create it below a folder with Document.Create instead of saving it.`,
)

/** Of operations that change documents: whether they save them too. */
export const saveParameter = defaulted('boolean', true, { description: 'False: a later step of the chain saves the document' })

interface Saving {
  readonly session: WriteSession
  readonly context: OperationContext
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
  const { properties: changes, ...facets } = contentFor(saving.context.unsaved.seenIn(document))
  const waiting = { ...(changeToken !== undefined && { changeToken }), ...(versioning !== undefined && { versioning }) }
  return saving.context.unsaved.add(document, { changes, ...facets, ...waiting })
}

/** Stores what waits for a save. */
export function saveUnsaved(saving: Saving, document: Document, options: ClientSaveOptions = {}): Promise<Document> {
  return saveAll(saving, document, () => ({ properties: {} }), options)
}

async function saveAll(
  { session, context }: Saving,
  document: Document,
  contentFor: (current: Document) => ChangedContent,
  options: ClientSaveOptions,
): Promise<Document> {
  const { changes = {}, isNew, facets, ...waitingOptions }: Partial<Unsaved> = context.unsaved.find(document.id) ?? {}
  if (isNew) throw neverStored({ type: document.type })
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
  context.unsaved.take(document.id)
  return saved
}
