import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted } from '../../../automation/parameter.ts'
import { type FlowingBlob, madeBlob } from '../../../automation/values/flowing-blob.ts'
import { findBlobAt, findBlobPlace } from '../../../core/blobs/blob-place.ts'
import { blobsBelow, blobsOf, type DocumentBlob, mainBlob } from '../../../core/blobs/document-blobs.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { parseFilesXpath } from '../blob-target.ts'
import { readTakenFile } from '../document-file.ts'
import { xpath } from './parameters.ts'

export const getBlob = defineOperation({
  id: 'Document.GetBlob',
  aliases: ['Blob.Get'],
  category: 'Files',
  description: 'Gives a file of the document: the one at the xpath, else its main one, else an empty one.',
  effect: 'reads',
  params: { xpath },
  run: ({ each }) => [
    each('document', 'blob', async (document, { session, context, params }) => {
      const found = findFile(session, document, params.xpath)
      return found === undefined ? emptyFile(document) : readTakenFile(context, document, found)
    }),
  ],
})

/** @throws unknownProperty, holdsNoFiles */
function findFile(session: Session, document: Document, address: string): DocumentBlob | undefined {
  if (findBlobPlace(session, document, address).kind === 'nowhere') parseFilesXpath(session, address)
  return findBlobAt(session, document, address) ?? mainBlob(session, document)
}

function emptyFile({ name }: Document): FlowingBlob {
  return madeBlob('', { name: `${name}.null`, mimeType: 'text/plain' })
}

export const getBlobs = defineOperation({
  id: 'Document.GetBlobs',
  aliases: ['Blob.GetAll'],
  category: 'Files',
  description: 'Gives all files of the document.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [
    each('document', 'bloblist', (document, { session, context }) => takeAll(context, document, blobsOf(session, document))),
  ],
})

export const getBlobsByProperty = defineOperation({
  id: 'Document.GetBlobsByProperty',
  aliases: ['Blob.GetList'],
  category: 'Files',
  description: 'Gives the files in a list of the document.',
  effect: 'reads',
  params: { xpath: defaulted('string', 'files:files', { description: 'The list' }) },
  run: ({ each }) => [
    each('document', 'bloblist', (document, { session, context, params }) => {
      const found = blobsBelow(document, parseFilesXpath(session, params.xpath))
      return takeAll(context, document, found)
    }),
  ],
})

function takeAll(context: OperationContext, document: Document, found: readonly DocumentBlob[]): Promise<readonly FlowingBlob[]> {
  return Promise.all(found.map((one) => readTakenFile(context, document, one)))
}
