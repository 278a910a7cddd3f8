import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { cleanPage, htmlPage, htmlTable, preformatted } from '../reading/html-page.ts'
import { separatedRows } from '../reading/separated-values.ts'
import { sourceText } from '../reading/source-text.ts'

const markup = new Set(['text/html', 'text/xhtml', 'application/xhtml+xml'])
const markdown = new Set(['text/x-web-markdown', 'text/markdown'])
const tables: ReadonlyMap<string, string | undefined> = new Map([
  ['text/csv', undefined],
  ['text/tsv', '\t'],
  ['text/tab-separated-values', '\t'],
])

/** Files that are text themselves as a page: HTML without what runs in it, tables as tables, all others to the letter. */
const textToHtml: ConverterWork = async (job) => {
  const text = await sourceText(job)
  const { mimeType, name } = job.source
  if (markup.has(mimeType)) return [await cleanPage(name, text)]
  if (markdown.has(mimeType)) return [await cleanPage(name, await markdownToHtml(text))]
  if (tables.has(mimeType)) return [htmlPage(name, htmlTable(separatedRows(text, tables.get(mimeType))))]
  return [htmlPage(name, preformatted(text))]
}

export default textToHtml

async function markdownToHtml(text: string): Promise<string> {
  const { marked } = await import('marked')
  return marked.parse(text, { async: true, gfm: true })
}
