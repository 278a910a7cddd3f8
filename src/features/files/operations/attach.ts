import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { applyChanges } from '../../../automation/unsaved-changes.ts'
import { readCurrentDocument } from '../../../automation/values/convert-value.ts'
import { type FlowingBlob, storedBlob } from '../../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../../base/problem.ts'
import { hasMainText } from '../../../core/blobs/document-blobs.ts'
import { findCharset, findNoteContent } from '../../../core/blobs/note-text.ts'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import { shapeSeen } from '../../../core/documents/proxies/proxy.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { Properties } from '../../../model/properties/property.ts'
import { parseBlobTarget, requireSettable, withBlobsAt } from '../blob-target.ts'
import { save, xpath } from './parameters.ts'

/** What changes in a document that gets files, as it is by then. */
type Attachment = (current: Document) => Properties

/** Puts files into a document, each group of them where it belongs, and saves it once. */
function attach(
  context: OperationContext<WriteSession>,
  document: Document,
  attachments: readonly Attachment[],
  saving: { readonly save: boolean },
): Promise<Document> {
  const changes = (current: Document) => Object.assign({}, ...attachments.map((attachment) => attachment(current)))
  return applyChanges(context, document, changes, saving)
}

async function planAttachment(
  session: WriteSession,
  document: Document,
  address: string,
  blobs: readonly FlowingBlob[],
): Promise<Attachment> {
  const target = parseBlobTarget(session, document, address)
  const stored = await Promise.all(blobs.map((blob) => storedBlob(session.repository, blob)))
  return (current) => withBlobsAt(current, target, stored)
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
      const attachment = await planAttachment(context.session, params.document, params.xpath, [blob])
      await attach(context, params.document, [attachment], params)
      return blob
    }),
    on('bloblist', 'bloblist', async (blobs, { context, params }) => {
      const attachment = await planAttachment(context.session, params.document, params.xpath, blobs)
      await attach(context, params.document, [attachment], params)
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
    each('document', 'document', async (document, { context, params }) => {
      const attachment = await planAttachment(context.session, document, params.xpath, [params.file])
      return attach(context, document, [attachment], params)
    }),
  ],
})

const mainAddress = 'blobholder:0'
const attachedFiles = 'files:files'

const notTextOfNote = defineProblem(
  'notTextOfNote',
  'invalid',
  (of: { name: string }) =>
    `${of.name} cannot be the text of a note: it is no text, or longer than a note may be. Attach it to a file.`,
)

/** The main file, or the text of a note, which has none. @throws notTextOfNote and what a place for files throws */
async function planMainFile(session: WriteSession, document: Document, file: FlowingBlob): Promise<Attachment> {
  const shape = shapeSeen(session.model, document)
  if (!hasMainText(shape)) return planAttachment(session, document, mainAddress, [file])
  const content = await findTextOfNote(session, file)
  if (content === undefined) throw notTextOfNote({ name: file.blob.name ?? 'The file' })
  for (const property of shape.properties.values()) if (property.name in content) requireSettable(session, property)
  return () => content
}

const textType = /^(?:text\/.+|application\/xhtml\+xml)$/

async function findTextOfNote({ repository }: WriteSession, file: FlowingBlob): Promise<Properties | undefined> {
  const { 'mime-type': type, encoding, length } = file.blob
  const [mimeType = ''] = (type ?? '').split(/\s*;/, 1)
  if (!textType.test(mimeType)) return undefined
  const read = () => openBlob(repository.blobs, file)
  return findNoteContent({ mimeType, encoding: findCharset(type ?? '') ?? encoding, length, read })
}

export const attachOnCurrentDocument = defineOperation({
  id: 'BlobHolder.AttachOnCurrentDocument',
  aliases: ['BlobHolder.Attach'],
  category: 'Files',
  description:
    'Makes the file the main one of the document in the context variable currentDocument, or its text the text of a note, and attaches further ones.',
  effect: 'writes',
  params: {
    useMainBlob: defaulted('boolean', true, {
      description: 'Of several files the first becomes the main one; otherwise all are attached',
    }),
  },
  run: ({ on }) => [
    on('blob', 'document', async (blob, { session, context }) => {
      const document = await readCurrentDocument(context)
      return attach(context, document, [await planMainFile(session, document, blob)], { save: true })
    }),
    on('bloblist', 'document', async (blobs, { session, context, params }) => {
      const document = await readCurrentDocument(context)
      const [main, rest] = params.useMainBlob ? [blobs.slice(0, 1), blobs.slice(1)] : [[], blobs]
      const isRestKept = rest.length > 0 && takesAttachments(session, document)
      const attachments = await Promise.all([
        ...main.map((blob) => planMainFile(session, document, blob)),
        ...(isRestKept ? [planAttachment(session, document, attachedFiles, rest)] : []),
      ])
      return attach(context, document, attachments, { save: true })
    }),
  ],
})

function takesAttachments({ model }: WriteSession, document: Document): boolean {
  return shapeSeen(model, document).properties.has(attachedFiles)
}
