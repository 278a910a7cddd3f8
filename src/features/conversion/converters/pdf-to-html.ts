import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { escapeHtml } from '../../../base/html/escape-html.ts'
import { findTypeOfName } from '../../../base/mime-types/mime-type.ts'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type MadeFile } from '../../../core/conversion/converter.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { htmlPage } from '../reading/html-page.ts'
import { withPdf } from '../reading/pdf-document.ts'

/** A PDF as a page: as it looks where pdftohtml is there, else its text page by page. */
const pdfToHtml: ConverterWork = async (job) => [job.options['asItLooks'] === true ? await asItLooks(job) : await asText(job)]

export default pdfToHtml

function asText({ source, limits }: ConversionJob): Promise<MadeFile> {
  return readingFile(() =>
    withPdf(source.path, (document) => {
      const pages = Array.from({ length: Math.min(document.getPageCount(), limits.pages) }, (_, index) => {
        const paragraphs = document.getPage(index).getText().split(/\r?\n/)
        const shown = paragraphs.filter((text) => text.trim() !== '').map((text) => `<p>${escapeHtml(text)}</p>`)
        return `<section id="page-${index + 1}">\n${shown.join('\n')}\n</section>`
      })
      return htmlPage(source.name, pages.join('\n<hr>\n'))
    }),
  )
}

async function asItLooks({ run, source, folder, limits }: ConversionJob): Promise<MadeFile> {
  const options = ['-q', '-c', '-s', '-nodrm', '-enc', 'UTF-8', '-noframes', '-l', String(limits.pages)]
  await run('pdftohtml', [...options, source.path, join(folder, 'index.html')])
  const names = await readdir(folder)
  const page = names.find((name) => extname(name) === '.html')
  if (page === undefined) throw new ConversionRefusal('There is no page in it.')
  const html = await readFile(join(folder, page), 'utf8')
  const images = new Map<string, string>()
  for (const name of names) {
    const type = findTypeOfName(name)
    if (type?.startsWith('image/')) images.set(name, `data:${type};base64,${await readFile(join(folder, name), 'base64')}`)
  }
  const bytes = withImages(withTitle(withoutCode(html), source.name ?? ''), images)
  return { bytes, mimeType: 'text/html', encoding: 'UTF-8' }
}

/** The program has none but what the PDF says, else the place where the page was made, which is nobody's business. */
function withTitle(html: string, title: string): string {
  return html.replace(/<title>[\s\S]*?<\/title>/i, () => `<title>${escapeHtml(title)}</title>`)
}

/** The program escapes all text; what a PDF can bring are the addresses of its links. */
function withoutCode(html: string): string {
  return html.replaceAll(/<script\b[\s\S]*?<\/script\s*>/gi, '').replaceAll(/\shref="(?!https?:|mailto:|#)[^"]*"/gi, '')
}

/** One file with all that it shows: whoever gets it has the pictures, too. */
function withImages(html: string, images: ReadonlyMap<string, string>): string {
  return html.replaceAll(/\ssrc="([^"]*)"/gi, (_, name: string) => ` src="${images.get(name) ?? ''}"`)
}
