import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { publishDocument } from '../../core/documents/proxies/publish-document.ts'
import { unpublishDocument } from '../../core/documents/proxies/unpublish-document.ts'
import type { Document } from '../../model/document.ts'

export const noRendition = defineProblem(
  'noRendition',
  'invalid',
  (of: { id: string; name: string | null }) =>
    `${of.id} has no ${of.name === null ? 'default rendition' : `rendition ${of.name}`}`,
)

const override = defaulted('boolean', true, { description: 'False: what is published there already stays beside it' })

const publishToSection = defineOperation({
  id: 'Document.PublishToSection',
  aliases: ['Document.Publish', 'Document.PublishRendition'],
  category: 'Document',
  description: 'Publishes the document in a section: a proxy there shows a version of it.',
  effect: 'writes',
  params: {
    target: required('document', { description: 'The section' }),
    renditionName: optional('string', { description: 'Publishes that rendition of the document instead' }),
    defaultRendition: optional('boolean', { description: 'Publishes the default rendition of the document instead' }),
    override,
  },
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, params }) => {
      if (params.renditionName || params.defaultRendition) throw noRendition({ id, name: params.renditionName ?? null })
      return publishDocument(session, id, params.target.id, { override: params.override })
    }),
  ],
})

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
