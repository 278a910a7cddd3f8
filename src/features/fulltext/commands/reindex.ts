import { stringifyJson } from '../../../base/json.ts'
import { type CommandContext, defineCommand, type ExitCode, exitCodes, jsonOption } from '../../../command/command.ts'
import { shownNumber } from '../../../command/progress-bar.ts'
import { defineSettings } from '../../../settings/define-settings.ts'

const reindexOptions = defineSettings({
  texts: { type: 'boolean', default: false, help: 'Read the files of all documents anew' },
})

/** Has full text find documents by what is in their files now. */
export const reindex = defineCommand({
  name: 'reindex',
  summary: 'read files anew, so that full text finds documents by what is in them',
  shownSettings: [
    'data',
    'databaseUrl',
    'databaseSchema',
    'repositories',
    'blobs',
    'conversionProcesses',
    'conversionTimeout',
    'conversionMemory',
    'logLevel',
    'config',
  ],
  options: { ...reindexOptions, ...jsonOption },
  notes: [
    'For after programs were installed that read more files (quire doctor), or a new version of Quire does. Servers may run\n' +
      'meanwhile. At the end it says how many files could not be read, and why.',
  ],
  run: reindexTexts,
})

type ReindexCall = CommandContext<unknown, { readonly texts: boolean; readonly json: boolean }, object>

async function reindexTexts({ options, openServices, print, complain, terminal }: ReindexCall): Promise<ExitCode> {
  if (!options.texts) {
    complain('quire: say what to do anew: quire reindex --texts')
    return exitCodes.usage
  }
  const { rereadFileTexts } = await import('../../../core/file-texts/read-file-texts.ts')
  const { services, close } = await openServices()
  let files = 0
  const unread = new Map<string, number>()
  try {
    for (const repository of services.repositories.values()) {
      for await (const { reason } of rereadFileTexts(repository, services.fileTexts)) {
        files += 1
        if (reason !== undefined) unread.set(reason, (unread.get(reason) ?? 0) + 1)
        terminal?.draw(`${shownNumber(files)} files read`)
      }
    }
  } finally {
    await close()
  }
  terminal?.draw('')
  const reasons = [...unread].toSorted(([, left], [, right]) => right - left)
  const failed = reasons.reduce((sum, [, count]) => sum + count, 0)
  if (options.json) print(stringifyJson({ files, unread: failed, reasons: Object.fromEntries(reasons) }))
  else {
    print(`${shownNumber(files)} files read anew, ${shownNumber(failed)} of which have no text that can be read.`)
    for (const [reason, count] of reasons) print(`  ${shownNumber(count)}: ${reason}`)
  }
  return exitCodes.done
}
