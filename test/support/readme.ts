import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface ReadmeBlock {
  readonly language: string
  readonly code: string
}

/** What README, or another page, gives to be pasted, in its order. */
export async function readmeBlocks(page = 'README.md'): Promise<readonly ReadmeBlock[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))
}

/** How a server is installed as a package, tried and started, as README tells it: a command a line. */
export async function readmePackageCommands(): Promise<readonly string[]> {
  const block = (await readmeBlocks()).find(({ code }) => code.startsWith('npm pack'))
  return block?.code.trimEnd().split('\n') ?? []
}
