import { defineCommand, jsonOption } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'
import { collectionSettings } from '../settings.ts'
import { filesCommandSettings } from './files-command.ts'

const gcOptions = defineSettings({
  dryRun: { type: 'boolean', default: false, help: 'Remove nothing; tell what would be removed' },
  removeAnyway: { type: 'boolean', default: false, help: 'Also when that is more than --blob-gc-max-share of all files' },
  forget: { type: 'list', help: 'Repositories that are gone for good, whose files nobody needs any more' },
})

/** Frees the space of unreferenced files, beside a running server or without one. */
export const gc = defineCommand({
  name: 'gc',
  summary: 'remove files that nobody needs',
  settings: [collectionSettings],
  shownSettings: [...filesCommandSettings, 'blobGcGrace', 'blobGcMaxShare'],
  options: { ...gcOptions, ...jsonOption },
  notes: [
    'Servers may run meanwhile. A file stays for --blob-gc-grace after it was written or last referred to; while no server\n' +
      'runs, --blob-gc-grace 0s removes all that nobody refers to.',
  ],
  run: async (call) => (await import('./files-actions.ts')).collect(call),
})
