import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { applyChanges, applyContent, saveParameter } from '../../automation/unsaved-changes.ts'
import { blobOfDocument } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { everyStoredBlob } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { readDocument, readDocumentByPath } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { withFacet, withoutFacet } from '../../model/own-facets.ts'
import { type Properties, sameValue } from '../../model/properties/property.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { versionNumberNames } from '../../model/versioning.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'
import { clearing, readPlace, requireWritable } from './changeable-place.ts'

export const hasNoSchema = defineProblem(
  'hasNoSchema',
  'invalid',
  (of: { id: string; type: string; schema: string }) => `${of.id} is a ${of.type}, which has no schema ${of.schema}`,
)

export const sourceMissing = defineProblem(
  'sourceMissing',
  'invalid',
  (_: object) => 'Say from which document to copy: sourceId or sourcePath.',
)

export const nothingToReset = defineProblem(
  'nothingToReset',
  'invalid',
  (_: object) => 'Say what to reset: a schema or an xpath.',
)

const saveDocumentParameter = defaulted('boolean', true, { description: 'False: the document is not saved, whatever save says' })

export const copySchema = defineOperation({
  id: 'Document.CopySchema',
  category: 'Document',
  description: 'Copies all properties of a schema from another document.',
  effect: 'writes',
  params: {
    schema: required('string'),
    sourceId: optional('string'),
    sourcePath: optional('string', { description: 'Where the source is, when its id is not given' }),
    save: saveParameter,
    saveDocument: saveDocumentParameter,
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { session, context, params }) => {
      const source = await readSource(session, params)
      listPropertiesOf(session, source, params.schema)
      const copied = listPropertiesOf(session, document, params.schema)
      if (source.id !== document.id) await requireTakable(context, source, copied)
      const values = Object.fromEntries(copied.map(({ name }) => [name, source.properties[name] ?? null]))
      requireWritableAll(session, document, copied, values)
      return applyChanges(context, document, values, { save: params.save && params.saveDocument })
    }),
  ],
})

export const resetSchema = defineOperation({
  id: 'Document.ResetSchema',
  category: 'Document',
  description: 'Clears one property, or all of a schema.',
  effect: 'writes',
  params: {
    schema: optional('string'),
    xpath: optional('string', { description: 'Only this property is cleared, whatever the schema' }),
    save: saveParameter,
    saveDocument: saveDocumentParameter,
  },
  run: ({ each }) => [
    each('document', 'document', (document, { session, context, params }) =>
      applyChanges(context, document, readReset(session, document, params), {
        save: params.save && params.saveDocument,
      }),
    ),
  ],
})

export const addFacet = defineFacetEdit(
  'Document.AddFacet',
  'Gives the document a facet, with the properties of its schemas.',
  withFacet,
)

export const removeFacet = defineFacetEdit(
  'Document.RemoveFacet',
  'Takes a facet away, with all that its schemas held. What the type gives stays.',
  withoutFacet,
)

function defineFacetEdit(id: string, description: string, facetsAfter: typeof withFacet) {
  return defineOperation({
    id,
    category: 'Document',
    description,
    effect: 'writes',
    params: { facet: required('string'), save: saveParameter },
    run: ({ each }) => [
      each('document', 'document', (document, { session, context, params }) =>
        applyContent(
          context,
          document,
          (current) => ({ properties: {}, facets: facetsAfter(session.model, current, params.facet) }),
          { save: params.save },
        ),
      ),
    ],
  })
}

async function readSource(session: Session, from: { sourceId?: string | undefined; sourcePath?: string | undefined }) {
  if (from.sourceId !== undefined) return readDocument(session, from.sourceId)
  if (from.sourcePath !== undefined) return readDocumentByPath(session, from.sourcePath)
  throw sourceMissing({})
}

/** A file that a rule keeps where it is cannot be had as that of another document either. @throws downloadRefused */
async function requireTakable(
  { session, host }: OperationContext,
  source: Document,
  copied: readonly PropertyDefinition[],
): Promise<void> {
  const names = new Set(copied.map(({ name }) => name))
  for (const file of everyStoredBlob(session, source, (name) => names.has(name))) {
    if (!(await host.mayDownload(session, blobOfDocument(source, file)))) throw downloadRefused({})
  }
}

/** What of a schema can be set in a document. @throws hasNoSchema */
function listPropertiesOf({ model }: Session, document: Document, schema: string): readonly PropertyDefinition[] {
  const shape = shapeSeen(model, document)
  const { id, type } = document
  if (!shape.hasSchema(schema)) throw hasNoSchema({ id, type, schema })
  return [...shape.properties.values()].filter(
    (property) => property.schema.name === schema && !versionNumberNames.has(property.name),
  )
}

/** What stays as it is may be secured. @throws readOnlyProperty */
function requireWritableAll(session: Session, document: Document, all: readonly PropertyDefinition[], values: Properties): void {
  for (const property of all) {
    if (!sameValue(document.properties[property.name], values[property.name])) requireWritable(session, property)
  }
}

interface ToReset {
  readonly schema?: string | undefined
  readonly xpath?: string | undefined
}

/** @throws nothingToReset and what naming a place throws */
function readReset(session: Session, document: Document, { schema, xpath }: ToReset) {
  if (xpath !== undefined) return clearing(readPlace(session, document, xpath))
  if (schema === undefined) throw nothingToReset({})
  const reset = listPropertiesOf(session, document, schema)
  const values = Object.fromEntries(reset.map(({ name }) => [name, null]))
  requireWritableAll(session, document, reset, values)
  return values
}
