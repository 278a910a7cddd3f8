import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { storedBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { publishDocument } from '../../core/documents/proxies/publish-document.ts'
import { unpublishDocument } from '../../core/documents/proxies/unpublish-document.ts'
import { defaultRenditionName } from '../../core/renditions/default-rendition.ts'
import type { Rendition } from '../../core/renditions/rendition.ts'
import { findStoredRendition, storeRendition } from '../../core/renditions/stored-rendition.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { renditionCallIn } from '../files/index.ts'

export const noRendition = defineProblem(
  'noRendition',
  'invalid',
  (of: { id: string; name: string | null }) =>
    `${of.id} has no ${of.name === null ? 'default rendition' : `rendition ${of.name}`}`,
)

const override = defaulted('boolean', true, { description: 'False: what is published there already stays beside it' })

interface WantedRendition {
  readonly renditionName: string | undefined
  readonly defaultRendition: boolean | undefined
}

const publishToSection = defineOperation({
  id: 'Document.PublishToSection',
  aliases: ['Document.Publish', 'Document.PublishRendition'],
  category: 'Document',
  description: 'Publishes the document in a section: a proxy there shows a version of it, or a rendition.',
  effect: 'waits',
  params: {
    target: required('document', { description: 'The section' }),
    renditionName: optional('string', { description: 'Publishes that rendition of the document instead' }),
    defaultRendition: optional('boolean', { description: 'Publishes the default rendition of the document instead' }),
    override,
  },
  run: ({ on }) => [
    on('document', 'document', async (document, { context, params }) => {
      const [proxy] = await publishAll(context, [document], params)
      return proxy
    }),
    on('documents', 'documents', (documents, { context, params }) => publishAll(context, documents, params)),
  ],
})

interface PublishParameters extends WantedRendition {
  readonly target: Document
  readonly override: boolean
}

/** What is to be shown is made before the transaction, in which all are published. */
async function publishAll(
  context: OperationContext,
  documents: readonly Document[],
  params: PublishParameters,
): Promise<readonly Document[]> {
  const rendered = new Map<DocumentId, PublishedRendition>()
  for (const document of documents) {
    const made = await renderForSection(context, document, params)
    if (made !== undefined) rendered.set(document.id, made)
  }
  return context.write(async (session) => {
    const proxies: Document[] = []
    for (const { id } of documents) {
      const made = rendered.get(id)
      const show = made && ((source: Document) => showRendition(session, source, made))
      const options = { override: params.override, ...(show !== undefined && { show }) }
      proxies.push(await publishDocument(session, id, params.target.id, options))
    }
    return proxies
  })
}

interface PublishedRendition {
  readonly rendition: Rendition
  readonly blob: BlobValue
}

/** Undefined when the document itself is to be published. @throws noRendition */
async function renderForSection(
  context: OperationContext,
  document: Document,
  { renditionName, defaultRendition }: WantedRendition,
): Promise<PublishedRendition | undefined> {
  if (!renditionName && !defaultRendition) return undefined
  const { session, services } = context
  const shape = shapeSeen(session.model, document)
  const name = renditionName || defaultRenditionName(document, shape, 'publish')
  const rendition = name === undefined ? undefined : await services.renditions.find(session, document, name)
  const rendered = await rendition?.render(renditionCallIn(context, document))
  if (rendition === undefined || rendered === undefined) throw noRendition({ id: document.id, name: renditionName || null })
  return { rendition, blob: await storedBlob(session.repository, rendered) }
}

/** As it was stored of the same state before, else stored now. */
async function showRendition(
  session: WriteSession,
  source: Document,
  { rendition, blob }: PublishedRendition,
): Promise<Document> {
  const identity = { rendition, source, principal: session.principal }
  return (await findStoredRendition(session, identity)) ?? storeRendition(session, identity, blob)
}

const publishToSections = defineOperation({
  id: 'Document.PublishToSections',
  aliases: ['Document.MultiPublish'],
  category: 'Document',
  description: 'Publishes the document in several sections.',
  effect: 'writes',
  params: { target: required('documents', { description: 'The sections' }), override },
  run: ({ each }) => [
    each('document', 'documents', async ({ id }, { session, params }) => {
      const proxies: Document[] = []
      for (const section of params.target) {
        proxies.push(await publishDocument(session, id, section.id, { override: params.override }))
      }
      return proxies
    }),
  ],
})

const unpublishAll = defineOperation({
  id: 'Document.UnpublishAll',
  category: 'Document',
  description: 'Removes all publications of the document that the caller may remove.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'void', async ({ id }, { session }) => {
      await unpublishDocument(session, id)
    }),
  ],
})

export const publishingOperations = [publishToSection, publishToSections, unpublishAll]
