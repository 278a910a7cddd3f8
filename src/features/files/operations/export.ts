import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { createEntryNames } from '../../../base/zip/entry-names.ts'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import type { Session } from '../../../core/session.ts'
import { readExportFolder, writeToFolder } from '../export-to-folder.ts'

export const exportToFileSystem = defineOperation({
  id: 'Blob.ExportToFS',
  aliases: ['Blob.ToFile'],
  category: 'Files',
  description: 'Writes the file into a folder of the machine on which the server runs, and gives it.',
  effect: 'waits',
  access: { administrators: true },
  params: {
    directory: required('string', { description: 'The absolute path of a folder that is there, and none of the server itself' }),
    prefix: defaulted('string', '', { description: 'Comes before the name of the file' }),
  },
  run: ({ on }) => [
    on('blob', 'blob', async (file, { session, context, params }) => {
      await exportAll(session, context, [file], params)
      return file
    }),
    on('bloblist', 'bloblist', async (files, { session, context, params }) => {
      await exportAll(session, context, files, params)
      return files
    }),
  ],
})

interface Destination {
  readonly directory: string
  readonly prefix: string
}

/** A file that was there before makes way; of files that come together, none does. */
async function exportAll(
  { repository }: Session,
  { services, host }: OperationContext,
  files: readonly FlowingBlob[],
  { directory, prefix }: Destination,
): Promise<void> {
  const folder = await readExportFolder(directory, services.automation.ownFolders)
  const nameOf = createEntryNames()
  for (const file of files) {
    const name = nameOf(`${prefix}${file.blob.name ?? 'file'}`)
    await writeToFolder(folder, name, await openBlob(repository.blobs, file), host.signal)
  }
}
