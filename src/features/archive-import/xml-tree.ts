import { SaxesParser } from 'saxes'
import { createYieldPoint } from '../../base/event-loop.ts'

/** An element as it was read. */
export interface XmlNode {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: readonly XmlNode[]
  /** Of the element itself, without that of those in it. */
  readonly text: string
}

interface GrowingNode extends XmlNode {
  readonly children: GrowingNode[]
  text: string
}

export interface ParsedXml {
  readonly root: XmlNode
  /** Of its elements. */
  readonly count: number
}

export class MalformedXml extends Error {}

const deepest = 200
const maxNodes = 200_000

// Read in a few milliseconds, whatever is in it.
const sliceLength = 64 * 1024

/** Reads XML without entities of its own, so that none can grow, and lets others go on meanwhile. @throws MalformedXml */
export async function parseXml(xml: string): Promise<ParsedXml> {
  const parser = new SaxesParser({ xmlns: false })
  const open: GrowingNode[] = []
  let root: GrowingNode | undefined
  let count = 0
  parser.on('error', (error) => {
    throw new MalformedXml(error.message, { cause: error })
  })
  parser.on('doctype', () => {
    throw new MalformedXml('it declares a document type')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest || ++count > maxNodes) throw new MalformedXml('it has too many elements')
    const node: GrowingNode = { name, attributes: attributes as XmlNode['attributes'], children: [], text: '' }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
  })
  const add = (text: string) => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  const pause = createYieldPoint()
  for (let at = 0; at < xml.length; at += sliceLength) {
    parser.write(xml.slice(at, at + sliceLength))
    await pause()
  }
  parser.close()
  if (root === undefined) throw new MalformedXml('it has no element')
  return { root, count }
}

export function findChild(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name)
}

export function textAt(node: XmlNode | undefined, name: string): string | undefined {
  return findChild(node, name)?.text
}
