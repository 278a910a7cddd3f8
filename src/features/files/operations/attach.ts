import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { applyChanges } from '../../../automation/unsaved-changes.ts'
import { readCurrentDocument } from '../../../automation/values/convert-value.ts'
import { type FlowingBlob, storedBlob } from '../../../automation/values/flowing-blob.ts'
import { shapeSeen } from '../../../core/documents/proxies/proxy.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { BlobValue } from '../../../model/properties/property.ts'
import { parseBlobTarget, withBlobsAt } from '../blob-target.ts'
import { save, xpath } from './parameters.ts'

interface Attachment {
  readonly xpath: string
  readonly blobs: readonly FlowingBlob[]
}

/** Puts files into a document, each group of them where it belongs, and saves it once. */
async function attach(
  context: OperationContext<WriteSession>,
  document: Document,
  attachments: readonly Attachment[],
  saving: { readonly save: boolean },
): Promise<Document> {
  const planned = await Promise.all(
    attachments.map(async (attachment) => ({
      target: parseBlobTarget(context.session, document, attachment.xpath),
      blobs: await storeAll(context.session, attachment.blobs),
    })),
  )
  const changes = (current: Document) =>
    Object.assign({}, ...planned.map(({ target, blobs }) => withBlobsAt(current, target, blobs)))
  return applyChanges(context, document, changes, saving)
}

function storeAll({ repository }: WriteSession, blobs: readonly FlowingBlob[]): Promise<readonly BlobValue[]> {
  return Promise.all(blobs.map((blob) => storedBlob(repository, blob)))
}

export const attachOnDocument = defineOperation({
  id: 'Blob.AttachOnDocument',
  aliases: ['Blob.Attach'],
  category: 'Files',
  description: 'Puts the file into a document, or adds it to a list of files there. Gives the file.',
  effect: 'writes',
  params: { document: required('document', { description: 'The document that gets the file' }), xpath, save },
  run: ({ on }) => [
    on('blob', 'blob', async (blob, { context, params }) => {
      await attach(context, params.document, [{ xpath: params.xpath, blobs: [blob] }], params)
      return blob
    }),
    on('bloblist', 'bloblist', async (blobs, { context, params }) => {
      await attach(context, params.document, [{ xpath: params.xpath, blobs }], params)
      return blobs
    }),
  ],
})

export const setDocumentBlob = defineOperation({
  id: 'Document.SetBlob',
  aliases: ['Blob.Set'],
  category: 'Document',
  description: 'Puts a file into the document, or adds it to a list of files there.',
  effect: 'writes',
  params: { file: required('blob'), xpath, save },
  run: ({ each }) => [
    each('document', 'document', (document, { context, params }) =>
      attach(context, document, [{ xpath: params.xpath, blobs: [params.file] }], params),
    ),
  ],
})

const mainAddress = 'blobholder:0'
const attachedFiles = 'files:files'

export const attachOnCurrentDocument = defineOperation({
  id: 'BlobHolder.AttachOnCurrentDocument',
  aliases: ['BlobHolder.Attach'],
  category: 'Files',
  description: 'Makes the file the main one of the document in the context variable currentDocument, and attaches further ones.',
  effect: 'writes',
  params: {
    useMainBlob: defaulted('boolean', true, {
      description: 'Of several files the first becomes the main one; otherwise all are attached',
    }),
  },
  run: ({ on }) => [
    on('blob', 'document', async (blob, { context }) => {
      const document = await readCurrentDocument(context)
      return attach(context, document, [{ xpath: mainAddress, blobs: [blob] }], { save: true })
    }),
    on('bloblist', 'document', async (blobs, { session, context, params }) => {
      const document = await readCurrentDocument(context)
      const [main, rest] = params.useMainBlob ? [blobs.slice(0, 1), blobs.slice(1)] : [[], blobs]
      const attachments = [
        { xpath: mainAddress, blobs: main },
        { xpath: attachedFiles, blobs: rest },
      ].filter(({ xpath, blobs: some }) => some.length > 0 && (xpath !== attachedFiles || takesAttachments(session, document)))
      return attach(context, document, attachments, { save: true })
    }),
  ],
})

function takesAttachments({ model }: WriteSession, document: Document): boolean {
  return shapeSeen(model, document).properties.has(attachedFiles)
}
