import { cleanHtml, findHtmlExcess } from '../../../base/html/clean-html.ts'
import { escapeHtml } from '../../../base/html/escape-html.ts'
import { ConversionRefusal, type MadeFile } from '../../../core/conversion/converter.ts'

const maxHtmlLength = 16 * 1024 ** 2

const style = [
  'body{font-family:system-ui,sans-serif;line-height:1.5;margin:2em;max-width:60em;overflow-wrap:break-word}',
  'pre{white-space:pre-wrap;font-family:ui-monospace,monospace}',
  'table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .5em;vertical-align:top;text-align:start}',
  'img{max-width:100%;height:auto}',
].join('')

/** A page of its own around markup that is harmless already. */
export function htmlPage(title: string | null, body: string): MadeFile {
  const head = `<meta charset="utf-8"><title>${escapeHtml(title ?? '')}</title><style>${style}</style>`
  return {
    bytes: `<!DOCTYPE html>\n<html>\n<head>${head}</head>\n<body>\n${body}\n</body>\n</html>\n`,
    mimeType: 'text/html',
    encoding: 'UTF-8',
  }
}

/** The same around markup that anybody may have written: what would run, or ask another server, is taken out of it. */
export async function cleanPage(title: string | null, html: string): Promise<MadeFile> {
  return htmlPage(title, await harmlessHtml(html))
}

/** @throws ConversionRefusal when there is more of it than can be looked through */
export async function harmlessHtml(html: string): Promise<string> {
  const excess = findHtmlExcess(html, { maxLength: maxHtmlLength })
  if (excess !== undefined) {
    const reason = excess.kind === 'deep' ? 'Its elements are nested too deeply.' : `Its HTML has ${excess.length} characters.`
    throw new ConversionRefusal(reason, { isTooLarge: true })
  }
  return withoutRemote(await cleanHtml(html))
}

/** Who looks at a file tells nobody so: a picture that lies on another server is not fetched. */
function withoutRemote(html: string): string {
  return html.replaceAll(/(<img\b[^>]*?)\ssrc="(?!data:image\/|cid:)[^"]*"/gi, '$1')
}

/** A text to the letter. */
export function preformatted(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`
}

export function htmlTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
  return `<table>\n${shown.join('\n')}\n</table>`
}
