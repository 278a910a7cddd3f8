import { extname } from 'node:path'
import type { Converter } from '../../core/conversion/converter.ts'

/** The module of this folder that does it: TypeScript in the sources, JavaScript in the bundle, where all are beside this one. */
function work(name: string): URL {
  const isBundled = extname(import.meta.url) !== '.ts'
  return new URL(isBundled ? `./${name}.js` : `./converters/${name}.ts`, import.meta.url)
}

const plainTexts = ['text/plain', 'text/xml', 'text/html', 'text/csv', 'text/tsv']

export const builtinConverters: readonly Converter[] = [
  { name: 'any2html', sources: plainTexts, destinations: ['text/html'], ways: [{ module: work('text-to-html') }] },
]
