import type { Blob } from '../../api/types.ts'

/** How a file is shown. Of a `page` the server makes one; `other` is what nobody here can show. */
export type PreviewKind = 'picture' | 'video' | 'audio' | 'pdf' | 'table' | 'text' | 'page' | 'other'

const pictures = /^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon)$/
const textual = /^(?:text\/(?!html)|application\/(?:json|xml|javascript|x-sh|x-yaml|yaml|toml|sql)|.*\+(?:json|xml)$)/
const pages =
  /^(?:application\/(?:rtf|msword|zip|wordperfect|vnd\.(?:ms-|openxmlformats|oasis|sun\.xml)).*|text\/(?:html|rtf|markdown|x-web-markdown)|message\/rfc822|application\/vnd\.ms-outlook)$/
const tables = /^text\/(?:csv|tab-separated-values)$/

export function previewKindOf({ 'mime-type': mimeType, name }: Pick<Blob, 'mime-type' | 'name'>): PreviewKind {
  const type = (mimeType ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
  if (pictures.test(type)) return 'picture'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (type === 'application/pdf') return 'pdf'
  if (tables.test(type) || /\.(?:csv|tsv)$/i.test(name ?? '')) return 'table'
  if (pages.test(type)) return 'page'
  return textual.test(type) ? 'text' : 'other'
}
