import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a module may import without having it, by name, and where it is. */
export type LentModules = ReadonlyMap<string, string>

/** Why a module could not be loaded, with the file, the line and the column if they can be found: it may be one that it imports. */
export function describeModuleMistake(url: string, error: unknown, lent: LentModules): string {
  const [sentence = 'cannot be loaded'] = String(error).split('\n')
  if (!(error instanceof Error)) return sentence
  const place = placeInSource(error.stack) ?? placeInFrames(error.stack, lent) ?? findHiddenPlace(url, error, lent)
  return place === undefined ? sentence : `${place}: ${sentence}`
}

// `file:///p.ts:4`, or its path, the lines around it, and a line with a mark below the mistake.
const shownSource = /^((?:file:|\/|[A-Z]:\\).+):(\d+)\n((?:.*\n)*?)\w*Error\b/

/** Where a text that is no program stops being one. */
function placeInSource(stack = ''): string | undefined {
  const [, file = '', line, source = ''] = shownSource.exec(stack) ?? []
  if (line === undefined) return undefined
  const mark = /^( *)\^/m.exec(source)?.[1]
  return `${file.startsWith('file:') ? fileURLToPath(file) : file}:${line}${mark === undefined ? '' : `:${mark.length + 1}`}`
}

/** The innermost place of the author's own code. */
function placeInFrames(stack = '', lent: LentModules): string | undefined {
  const ours = [import.meta.url, ...lent.values()].map((url) => `${dirname(url)}/`)
  for (const [, url = '', place] of stack.matchAll(/^ {4}at .*?(file:\S+?):(\d+:\d+)\)?$/gm)) {
    const isAuthors = !url.includes('/node_modules/') && !ours.some((folder) => url.startsWith(folder))
    if (isAuthors) return `${fileURLToPath(url)}:${place}`
  }
  return undefined
}

const patienceMillis = 10_000

/**
 * Of plain JavaScript Node.js says where a mistake of syntax is only when it is not caught. So the module is loaded once more,
 * where it is not: nothing of it can run, for it does not even compile.
 */
function findHiddenPlace(url: string, error: Error, lent: LentModules): string | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const program = `
    import { registerHooks } from 'node:module'
    const lent = new Map(${JSON.stringify([...lent])})
    const resolve = (name, context, next) => lent.has(name) ? { url: lent.get(name), shortCircuit: true } : next(name, context)
    registerHooks({ resolve })
    await import(${JSON.stringify(url)})`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: patienceMillis,
  })
  return placeInSource(stderr)
}
