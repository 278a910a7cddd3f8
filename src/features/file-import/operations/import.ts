import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { readCurrentDocument } from '../../../automation/values/convert-value.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { readSentProperties } from '../../../automation/values/read-sent-properties.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import type { Document } from '../../../model/document.ts'
import { type BlobsImport, importBlobs } from '../import-blobs.ts'

function importHere(context: OperationContext, blobs: readonly FlowingBlob[], wanted: Omit<BlobsImport, 'readParent'>) {
  return importBlobs(context, blobs, { ...wanted, readParent: (session) => readCurrentDocument(context.within(session)) })
}

const overwriting = {
  description: 'A document that is there already for the file gets its new content; without it there are two',
}

export const importFiles = defineOperation({
  id: 'FileManager.Import',
  category: 'Services',
  description: 'Makes a document of each file, in the folder that the context variable currentDocument names, each by itself.',
  effect: 'waits',
  params: {
    // Spelled like this by all clients.
    overwite: defaulted('boolean', false, overwriting),
    noMimeTypeCheck: defaulted('boolean', false, { description: 'The files are what their sender says, whatever their names' }),
  },
  run: ({ on }) => [
    on('blob', 'document', async (blob, { context, params }) => {
      const [document] = await importHere(context, [blob], importOptions(params))
      return document
    }),
    on('bloblist', 'documents', (blobs, { context, params }) => importHere(context, blobs, importOptions(params))),
  ],
})

function importOptions({ overwite, noMimeTypeCheck }: { readonly overwite: boolean; readonly noMimeTypeCheck: boolean }) {
  return { overwrite: overwite, checksMimeType: !noMimeTypeCheck }
}

export const importWithProperties = defineOperation({
  id: 'FileManager.ImportWithProperties',
  category: 'Services',
  description:
    'Makes documents of the files with these properties, all or none, in the folder of the context variable currentDocument.',
  effect: 'writes',
  params: {
    properties: required('properties'),
    overwrite: defaulted('boolean', false, overwriting),
    mimeTypeCheck: defaulted('boolean', true, {
      description: 'Without it the files are what their sender says, whatever their names',
    }),
  },
  run: ({ on }) => [
    on('blob', 'document', async (blob, { context, params }) => {
      const [document] = await importHere(context, [blob], describedImport(context, params))
      return document
    }),
    on('bloblist', 'documents', (blobs, { context, params }) => importHere(context, blobs, describedImport(context, params))),
  ],
})

interface DescribedImport {
  readonly properties: SentProperties
  readonly overwrite: boolean
  readonly mimeTypeCheck: boolean
}

function describedImport(context: OperationContext, { properties, overwrite, mimeTypeCheck }: DescribedImport) {
  const propertiesFor = (document: Document) => readSentProperties(context, document, properties)
  return { overwrite, checksMimeType: mimeTypeCheck, propertiesFor }
}
