import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { optional } from '../../../automation/parameter.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { newId } from '../../../base/ids.ts'
import { mayRead } from '../../../core/documents/read-document.ts'
import type { TakenFile } from '../../../core/renditions/rendition.ts'
import { renderDefault } from '../../../core/renditions/renditions.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { type PackedFile, packFiles } from '../pack-files.ts'
import { renditionCallIn } from '../rendition-call.ts'

const filename = optional('string', { description: 'The name of the archive' })

export const bulkDownload = defineOperation({
  id: 'Blob.BulkDownload',
  category: 'Files',
  description:
    'Gives a zip archive of the main files of the documents, as far as the caller may download them; of folders, archives.',
  effect: 'waits',
  params: { filename },
  run: ({ on }) => [
    on('documents', 'blob', async (documents, { session, context, params }) => {
      const files = await listDownloadable(context, documents)
      if (files.length === 0) return undefined
      const name = givenName(params.filename) ?? `BlobListZip-${newId()}-${session.principal.name}`
      return packFiles(session, files, { services: context.services, name, signal: context.host.signal })
    }),
  ],
})

async function listDownloadable(context: OperationContext, documents: readonly Document[]): Promise<readonly PackedFile[]> {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const files: PackedFile[] = []
  for (const document of byId.values()) files.push(...(await takeDocument(context, document)))
  return files
}

/** Its default rendition, if there is one and it may be had; a folder without anything in it is no file. */
async function takeDocument(context: OperationContext, document: Document): Promise<readonly PackedFile[]> {
  // Making a rendition may take long, and what may not be read is left out in any case.
  if (!(await mayRead(context.session, document))) return []
  const call = renditionCallIn(context, document)
  const rendered = await renderDefault(context.services.renditions, call, 'download')
  if (rendered === undefined || rendered.contains?.length === 0) return []
  const { blob, bytes, xpath = '', contains = [] } = rendered
  const content = { blob, ...(bytes !== undefined && { bytes }) }
  const taken: TakenFile = { ...content, document, xpath }
  return (await call.mayTake(taken)) ? [{ ...content, source: { document, xpath }, contains }] : []
}

export const createZip = defineOperation({
  id: 'Blob.CreateZip',
  category: 'Files',
  description: 'Gives a zip archive of the files.',
  effect: 'waits',
  params: { filename: { ...filename, description: 'The name of the archive; that of the first file when absent' } },
  run: ({ on }) => [
    on('blob', 'blob', (blob, { session, context, params }) => pack(session, context, [blob], params.filename)),
    on('bloblist', 'blob', (blobs, { session, context, params }) => pack(session, context, blobs, params.filename)),
  ],
})

function pack(session: Session, { services, host }: OperationContext, blobs: readonly FlowingBlob[], asked: string | undefined) {
  return packFiles(session, blobs, { services, name: givenName(asked) ?? blobs[0]?.blob.name ?? null, signal: host.signal })
}

function givenName(name: string | undefined): string | undefined {
  return name?.trim() || undefined
}
