import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { readReference } from '../../automation/values/convert-value.ts'
import { defineProblem } from '../../base/problem.ts'
import { createProxy } from '../../core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../core/documents/proxies/publish-document.ts'
import { removeProxies } from '../../core/documents/proxies/remove-proxies.ts'
import { unpublishDocument } from '../../core/documents/proxies/unpublish-document.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import type { Document } from '../../model/document.ts'
import { saveParameter } from './define-edit.ts'

export const noRendition = defineProblem(
  'noRendition',
  'invalid',
  (of: { id: string; name: string | null }) =>
    `${of.id} has no ${of.name === null ? 'default rendition' : `rendition ${of.name}`}`,
)

const override = defaulted('boolean', true, { description: 'False: what is published there already stays beside it' })

export const publishToSection = defineOperation({
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

export const publishToSections = defineOperation({
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

export const unpublishAll = defineOperation({
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

export const removeAllProxies = defineOperation({
  id: 'Document.RemoveProxies',
  category: 'Document',
  description: 'Removes every proxy of the document and of its versions.',
  effect: 'writes',
  params: { save: saveParameter },
  run: ({ each }) => [
    each('document', 'document', async ({ id }, { session }) => {
      await removeProxies(session, id)
      return findReadable(session, id)
    }),
  ],
})

export const createLiveProxy = defineOperation({
  id: 'Document.CreateLiveProxy',
  aliases: ['CreateProxyLive'],
  category: 'Document',
  description: 'Puts a proxy into a folder that always shows the document as it is.',
  effect: 'writes',
  access: { administrators: true },
  params: { 'Destination Path': required('string', { description: 'The path of the folder' }) },
  run: ({ each }) => [
    each('document', 'document', async ({ id }, { session, context, params }) => {
      const folder = await readReference(session, context, params['Destination Path'])
      return createProxy(session, id, folder.id)
    }),
  ],
})
