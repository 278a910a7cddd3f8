import { escapeHtml } from '../../../base/html/escape-html.ts'
import { htmlTable } from './html-page.ts'

/** What a document is made of, as far as it is text: whatever program wrote it. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

export function blocksToText(blocks: readonly Block[]): string {
  return blocks.map(textOf).join('\n')
}

function textOf(block: Block): string {
  return block.kind === 'table' ? block.rows.map((row) => row.join('\t')).join('\n') : block.text
}

export function blocksToHtml(blocks: readonly Block[]): string {
  return blocks
    .filter((block) => block.kind === 'table' || block.text.trim() !== '')
    .map(htmlOf)
    .join('\n')
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const level = Math.min(Math.max(block.level, 1), 6)
      return `<h${level}>${escapeHtml(block.text)}</h${level}>`
    }
    case 'paragraph':
      return `<p>${escapeHtml(block.text).replaceAll('\n', '<br>')}</p>`
    case 'table':
      return htmlTable(block.rows)
  }
}
