import { defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { missingOption } from '../../../settings/problems.ts'

const importOptions = defineSettings({
  to: { type: 'string', help: 'Path of the folder that the documents go to, such as /default-domain/workspaces/archive' },
  as: { type: 'string', help: 'User in whose name, and with whose rights, files are imported; without it the server itself' },
  repository: { type: 'string', default: 'default', help: 'Repository that the folder is in' },
  overwrite: { type: 'boolean', default: false, help: 'Give documents of the same name that differ the content of the file' },
  checksum: {
    type: 'boolean',
    default: false,
    help: 'Compare files that are there already byte by byte, not by length and date',
  },
  hidden: { type: 'boolean', default: false, help: 'Take files and folders whose names begin with a dot too' },
  withoutPeople: { type: 'boolean', default: false, help: 'Leave users, groups and directories of an archive out' },
  dryRun: { type: 'boolean', default: false, help: 'Change nothing; tell what would be done' },
})

/** Files from a disk, or an archive, beside a running server or without one. */
export const importCommand = defineCommand({
  name: 'import',
  summary: 'make documents of the files in a folder, or bring those of an archive',
  shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'blobs', 'logLevel', 'config'],
  operands: {
    folder: { help: 'Folder on this machine whose files and folders become documents, or an archive that quire export wrote' },
  },
  options: { ...importOptions, ...jsonOption },
  notes: [
    'What is there already is not imported again: a command that was stopped, or killed, goes on where it was when it is\n' +
      'given once more. Links are not followed. Ends with 1 when a file could not be imported.\n' +
      'An archive is known by its manifest. Its documents keep their ids, unless those are taken; --as, --overwrite, --checksum and\n' +
      '--hidden say nothing about them. An export of the server that clients know (a ZIP file of document.xml) is known by its mark. An archive of a whole repository goes to / of an empty one, while no server runs on it.',
  ],
  run: async (call) => {
    const { to } = call.options
    if (to === undefined || to === '') throw missingOption({ flag: '--to' })
    const { importAny } = await import('./import-actions.ts')
    return importAny({ ...call, options: { ...call.options, to } })
  },
})
