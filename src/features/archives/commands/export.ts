import { defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'

const exportOptions = defineSettings({
  repository: { type: 'string', default: 'default', help: 'Repository that the documents are in' },
  withoutPeople: {
    type: 'boolean',
    default: false,
    help: 'Leave users, groups and the entries of other directories out of an archive of a whole repository',
  },
})

/** Documents with all that belongs to them, for another server or another program. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write a tree of documents, or a whole repository, with all that belongs to it to an archive',
  shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'blobs', 'repositories', 'logLevel', 'config'],
  operands: {
    path: { help: 'Path of the document that the tree begins with; / is the whole repository, with its people' },
    archive: { help: 'ZIP file to write, which must not exist yet' },
  },
  options: { ...exportOptions, ...jsonOption },
  notes: [
    'The server may run meanwhile: the archive has everything as it was at one moment. It holds lines of JSON and files, and a manifest\n' +
      'that tells of them. An archive of a whole repository has the digests of passwords, and other secrets: keep it as you keep those.\n' +
      'Ends with 1 when files of documents are missing.',
  ],
  run: async (call) => (await import('./export-actions.ts')).exportTree(call),
})
