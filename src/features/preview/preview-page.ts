import { escapeHtml } from '../../base/html/escape-html.ts'

// What a page of ours may load is said with it: nothing runs, nothing is sent, and what it shows comes from its own address.

/** Of a page around a file that a browser shows by itself. PDF viewers do not open in a sandbox. */
export function viewerPolicy(folder: string): string {
  return `default-src 'none'; img-src ${folder}; media-src ${folder}; frame-src ${folder}; object-src ${folder}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`
}

/** Of a page that somebody wrote: links to its pictures work, which lie beside it, and nothing else does. */
export function contentPolicy(folder: string): string {
  return `sandbox allow-same-origin; default-src 'none'; img-src data: ${folder}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`
}

const style =
  'html,body{margin:0;height:100%;font-family:system-ui,sans-serif}img,video{display:block;margin:auto;max-width:100%;max-height:100%}iframe{display:block;border:0;width:100%;height:100%}pre{margin:1em;white-space:pre-wrap;overflow-wrap:break-word;font-family:ui-monospace,monospace}p{margin:2em}'

export function previewPage(title: string | null, body: string): string {
  const head = `<meta charset="utf-8"><title>${escapeHtml(title ?? '')}</title><style>${style}</style>`
  return `<!DOCTYPE html>\n<html>\n<head>${head}</head>\n<body>\n${body}\n</body>\n</html>\n`
}

export function imageBody(address: string, title: string | null): string {
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(title ?? '')}">`
}

export function pdfBody(address: string, title: string | null): string {
  return `<iframe src="${escapeHtml(address)}" title="${escapeHtml(title ?? '')}"></iframe>`
}

export function soundBody(address: string): string {
  return `<audio controls src="${escapeHtml(address)}"></audio>`
}

/** Browsers take the first that they can show. */
export function videoBody(videos: readonly { readonly address: string; readonly type: string }[]): string {
  const sources = videos.map(({ address, type }) => `<source src="${escapeHtml(address)}" type="${escapeHtml(type)}">`)
  return `<video controls>${sources.join('')}</video>`
}

/** Only what could be markup is escaped, and line ends are kept (contract: blobs 8). */
export function textBody(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<pre>${escaped.replaceAll(/\r\n|\r|\n/g, '<br/>\n')}</pre>`
}

export const notAvailablePage = previewPage('Preview', '<p>There is no preview of this file.</p>')
