import { defineOperation } from '../../automation/operation.ts'
import { required } from '../../automation/parameter.ts'
import { saveParameter } from '../../automation/unsaved-changes.ts'
import { readReference } from '../../automation/values/convert-value.ts'
import { createProxy } from '../../core/documents/proxies/create-proxy.ts'
import { removeProxies } from '../../core/documents/proxies/remove-proxies.ts'
import { findReadable } from '../../core/documents/read-document.ts'

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
      const folder = await readReference(context, params['Destination Path'])
      return createProxy(session, id, folder.id)
    }),
  ],
})
