import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { stringifyJson } from '../../../base/json.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { shownNumber } from '../../../command/progress-bar.ts'
import type { Repository } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import { parseAuditDate } from '../audit-filter.ts'
import { entriesIn } from '../read-entries.ts'

interface ExportOptions {
  readonly from: string | undefined
  readonly before: string | undefined
  readonly repository: string | undefined
  readonly output: string | undefined
}

export async function exportAudit(call: CommandContext<unknown, ExportOptions, object>): Promise<ExitCode> {
  const { options, directory, print, complain, terminal } = call
  const period = { ...boundOf('from', options.from), ...boundOf('before', options.before) }
  const { services, close } = await call.openServices()
  let file: FileHandle | undefined
  try {
    const repositories = chosen(services, options.repository)
    if (repositories === undefined) {
      complain(`There is no repository ${options.repository}. There are: ${[...services.repositories.keys()].join(', ')}.`)
      return exitCodes.usage
    }
    if (options.output !== undefined) file = await open(resolve(directory, options.output), 'wx', 0o600)
    let written = 0
    for (const repository of repositories) {
      for await (const entries of entriesIn(repository.store.reader.tables, period)) {
        const lines = entries.map((entry) => stringifyJson(entry))
        if (file === undefined) print(lines.join('\n'))
        else await file.writeFile(`${lines.join('\n')}\n`)
        written += entries.length
        if (file !== undefined) terminal?.draw(`${shownNumber(written)} rows`)
      }
    }
    await file?.sync()
    terminal?.draw('')
    if (file !== undefined) print(`${shownNumber(written)} rows written to ${options.output}.`)
    return exitCodes.done
  } finally {
    await file?.close()
    await close()
  }
}

function boundOf<Bound extends 'from' | 'before'>(
  bound: Bound,
  text: string | undefined,
): { readonly [bound in Bound]?: number } {
  return (text === undefined ? {} : { [bound]: parseAuditDate(`--${bound}`, text) }) as { readonly [bound in Bound]?: number }
}

/** Undefined where there is none of that name. */
function chosen({ repositories }: Services, name: string | undefined): readonly Repository[] | undefined {
  if (name === undefined) return [...repositories.values()]
  const one = repositories.get(name)
  return one && [one]
}
