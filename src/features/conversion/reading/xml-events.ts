import { SaxesParser } from 'saxes'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'

/** What is told of XML while it is read. Names have the prefix that the file gives them, which in office files is always the same. */
export interface XmlHandler {
  open?(name: string, attributes: { readonly [name: string]: string }): void
  close?(name: string): void
  text?(text: string): void
}

const deepest = 1_000

/** Reads XML; entities of its own are not known, so that none can grow. @throws ConversionRefusal when it is none */
export function readXml(xml: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false })
  let depth = 0
  parser.on('error', (error) => {
    throw new ConversionRefusal('It is damaged, or not what its type says.', { cause: error })
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    if (depth > deepest) throw new ConversionRefusal('Its elements are nested too deeply.', { isTooLarge: true })
    handler.open?.(name, attributes as { readonly [name: string]: string })
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handler.close?.(name)
  })
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  parser.write(xml).close()
}
