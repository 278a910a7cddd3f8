import { type Chain, defineChain } from '../../automation/chain.ts'

/** A version of the document at hand is made, then it gets the files. */
const versionAndAttach = (id: string, description: string, useMainBlob: boolean) =>
  defineChain({
    id,
    description,
    steps: [
      { operation: 'Context.PushBlobList' },
      { operation: 'Context.RestoreDocumentInput', params: { name: 'currentDocument' } },
      { operation: 'Document.CheckIn', params: { version: 'minor' } },
      { operation: 'Context.PopBlobList' },
      { operation: 'BlobHolder.AttachOnCurrentDocument', params: { useMainBlob } },
    ],
  })

/** Chains that applications call by these names (contract: operations 1.12). */
export const defaultChains: readonly Chain[] = [
  versionAndAttach('VersionAndAttachFile', 'Keeps a minor version of the current document, then replaces its main file.', true),
  versionAndAttach('VersionAndAttachFiles', 'Keeps a minor version of the current document, then attaches files to it.', false),
  defineChain({
    id: 'AttachFiles',
    description: 'Attaches files to the current document.',
    steps: [
      { operation: 'Context.PushBlobList' },
      { operation: 'BlobHolder.AttachOnCurrentDocument', params: { useMainBlob: false } },
    ],
  }),
  defineChain({
    id: 'FileManager.ImportWithMetaData',
    description: 'Makes documents of files, or replaces those that there are, with the properties in the variable docMetaData.',
    steps: [
      {
        operation: 'FileManager.ImportWithProperties',
        params: { overwrite: true, properties: 'expr:Context["docMetaData"]' },
      },
    ],
  }),
  defineChain({ id: 'blobToPDF', description: 'Gives the main file as PDF.', steps: [{ operation: 'Blob.ToPDF' }] }),
  defineChain({
    id: 'Image.Blob.Resize',
    description: 'Gives the picture no larger than the variables width and height say, in its own proportions.',
    steps: [
      {
        operation: 'Blob.RunConverter',
        params: {
          converter: 'pictureResize',
          parameters: 'expr:width=@{Context["width"]}\nheight=@{Context["height"]}',
        },
      },
    ],
  }),
  defineChain({
    id: 'Image.Blob.ConvertToPDF',
    description: 'Gives the picture as PDF.',
    steps: [{ operation: 'Blob.RunConverter', params: { converter: 'pictureConvertToPDF' } }],
  }),
  defineChain({ id: 'mainBlob', description: 'Gives the main file.', steps: [{ operation: 'Document.GetBlob' }] }),
  defineChain({
    id: 'containerContentBlob',
    description: 'Gives an archive of the main files of what is in a folder.',
    steps: [{ operation: 'Document.GetChildren' }, { operation: 'Blob.BulkDownload' }],
  }),
  defineChain({
    id: 'xmlExportRendition',
    description: 'Gives the document as XML.',
    steps: [{ operation: 'Document.Export' }],
  }),
  defineChain({
    id: 'zipTreeExportRendition',
    description: 'Gives an archive of the document and all below it, as XML and files.',
    steps: [{ operation: 'Document.Export', params: { exportAsTree: true } }],
  }),
]
