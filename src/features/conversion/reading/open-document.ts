import { ConversionRefusal } from '../../../core/conversion/converter.ts'
import type { Block } from './blocks.ts'
import { maxRows } from './separated-values.ts'
import { readXml } from './xml-events.ts'
import type { ZipEntries } from './zip-entries.ts'

// An empty cell or row may stand for a million.
const maxRepeats = 100

/** Texts and tables of OpenDocument files, and of those of its forerunner, whose elements have the same names. */
export async function readOpenDocument(zip: ZipEntries): Promise<readonly Block[]> {
  const xml = await zip.text('content.xml')
  if (xml === undefined) throw new ConversionRefusal('It is damaged: there is no content.xml in it.')
  return new ContentReader().read(xml)
}

class ContentReader {
  readonly #blocks: Block[] = []
  readonly #tables: string[][][] = []
  #row: string[] = []
  #cell: string | undefined
  #repeats = 1
  #text = ''
  #level = 0
  #depth = 0
  #hidden = 0

  read(xml: string): readonly Block[] {
    readXml(xml, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => {
        if (this.#depth > 0 && this.#hidden === 0) this.#text += text
      },
    })
    return this.#blocks
  }

  #open(name: string, attributes: { readonly [name: string]: string }): void {
    switch (name) {
      case 'text:h':
        this.#level = Number(attributes['text:outline-level'] ?? attributes['text:level'] ?? 1) || 1
        this.#depth += 1
        return
      case 'text:p':
        this.#depth += 1
        return
      case 'text:s':
        this.#text += ' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, maxRepeats))
        return
      case 'text:tab':
      case 'text:tab-stop':
        this.#text += '\t'
        return
      case 'text:line-break':
        this.#text += '\n'
        return
      case 'text:tracked-changes':
        this.#hidden += 1
        return
      case 'draw:page':
        this.#blocks.push({ kind: 'heading', level: 2, text: attributes['draw:name'] ?? '' })
        return
      case 'table:table':
        if (attributes['table:name'] !== undefined && this.#tables.length === 0)
          this.#blocks.push({ kind: 'heading', level: 2, text: attributes['table:name'] })
        this.#tables.push([])
        return
      case 'table:table-row':
        this.#row = []
        return
      case 'table:table-cell':
        this.#cell = ''
        this.#repeats = Math.min(Number(attributes['table:number-columns-repeated'] ?? 1) || 1, maxRepeats)
    }
  }

  #close(name: string): void {
    switch (name) {
      case 'text:h':
      case 'text:p':
        this.#depth -= 1
        if (this.#depth === 0) this.#endParagraph()
        return
      case 'text:tracked-changes':
        this.#hidden -= 1
        return
      case 'table:table-cell':
        for (let count = 0; count < this.#repeats; count += 1) this.#row.push(this.#cell ?? '')
        this.#cell = undefined
        return
      case 'table:table-row': {
        const rows = this.#tables.at(-1)
        while (this.#row.at(-1) === '') this.#row.pop()
        if (rows !== undefined && rows.length < maxRows && this.#row.length > 0) rows.push(this.#row)
        return
      }
      case 'table:table': {
        const rows = this.#tables.pop()
        if (rows !== undefined && rows.length > 0) this.#blocks.push({ kind: 'table', rows })
      }
    }
  }

  #endParagraph(): void {
    const text = this.#text
    if (this.#cell !== undefined) this.#cell += this.#cell === '' ? text : `\n${text}`
    else if (this.#level > 0) this.#blocks.push({ kind: 'heading', level: this.#level, text })
    else this.#blocks.push({ kind: 'paragraph', text })
    this.#text = ''
    this.#level = 0
  }
}
