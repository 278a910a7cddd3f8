import { SaxesParser } from 'saxes'
import { escapeXml, escapeXmlText } from '../../../base/xml.ts'
import type { TemplateMark, TemplatePart } from '../../rendering/index.ts'
import { type MarkPlace, officeFileDamaged, templateTooLarge } from './problems.ts'

/** Part of an office file, in which marks of a template are put and moved about. */
export interface OfficeElement {
  readonly kind: 'element'
  readonly name: string
  readonly attributes: { [name: string]: string }
  readonly children: OfficeNode[]
  parent: OfficeElement | undefined
}

export interface OfficeText {
  readonly kind: 'text'
  text: string
  parent: OfficeElement
}

/** Where the template has something to decide or to fill in. */
export interface OfficeMark {
  readonly kind: 'mark'
  readonly mark: TemplateMark
  /** For messages. */
  readonly place: MarkPlace
  parent: OfficeElement
}

export type OfficeNode = OfficeElement | OfficeText | OfficeMark

/** What is left for all parts of a template together. */
export interface TreeBudget {
  elements: number
  /** Called after each piece of work, and waited for. */
  rest(): Promise<void> | undefined
}

const deepest = 200
const slice = 65_536

/**
 * Reads a part. Entities of its own are not known and no declaration of its form is taken, so that nothing in it can grow or lead elsewhere.
 * @throws officeFileDamaged, templateTooLarge
 */
export async function parseXml(xml: string, part: string, budget: TreeBudget): Promise<OfficeElement> {
  const top: OfficeElement = { kind: 'element', name: '', attributes: {}, children: [], parent: undefined }
  const parser = parserInto(top, part, budget)
  for (let from = 0; from < xml.length; from += slice) {
    parser.write(xml.slice(from, from + slice))
    const waited = budget.rest()
    if (waited !== undefined) await waited
  }
  parser.close()
  const root = top.children.find((node) => node.kind === 'element')
  if (root === undefined) throw officeFileDamaged({ reason: `${part} in it is empty.` })
  root.parent = undefined
  return root
}

function parserInto(top: OfficeElement, part: string, budget: TreeBudget): SaxesParser {
  const parser = new SaxesParser({ xmlns: false })
  const refuse = (cause?: Error): never => {
    throw officeFileDamaged({ reason: `${part} in it is no XML that can be read.` }, { cause })
  }
  let [open, depth] = [top, 0]
  const addText = (text: string) => {
    const last = open.children.at(-1)
    if (last?.kind === 'text') last.text += text
    else if (open !== top) open.children.push({ kind: 'text', text, parent: open })
  }
  parser.on('error', refuse)
  parser.on('doctype', () => refuse())
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    budget.elements -= 1
    if (budget.elements < 0 || depth > deepest) throw templateTooLarge({ what: 'elements' })
    const element: OfficeElement = {
      kind: 'element',
      name,
      attributes: attributes as OfficeElement['attributes'],
      children: [],
      parent: open,
    }
    open.children.push(element)
    open = element
  })
  parser.on('closetag', () => {
    depth -= 1
    open = open.parent ?? top
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  return parser
}

/** All elements of these names, in the order of the document. */
export function elementsNamed(root: OfficeElement, names: ReadonlySet<string>): readonly OfficeElement[] {
  const found: OfficeElement[] = []
  const look = (element: OfficeElement) => {
    if (names.has(element.name)) found.push(element)
    for (const child of element.children) if (child.kind === 'element') look(child)
  }
  look(root)
  return found
}

export function marksBelow(root: OfficeElement): readonly OfficeMark[] {
  const found: OfficeMark[] = []
  const look = (element: OfficeElement) => {
    for (const child of element.children) {
      if (child.kind === 'mark') found.push(child)
      else if (child.kind === 'element') look(child)
    }
  }
  look(root)
  return found
}

/** The element and what it stands in, from the inside. */
export function* upwards(from: OfficeElement | undefined): Generator<OfficeElement> {
  for (let element = from; element !== undefined; element = element.parent) yield element
}

export function insertBeside(anchor: OfficeNode, where: 'before' | 'after', node: OfficeNode): void {
  const { parent } = anchor
  if (parent === undefined) return
  parent.children.splice(parent.children.indexOf(anchor) + (where === 'after' ? 1 : 0), 0, node)
  node.parent = parent
}

export function detach(node: OfficeNode): void {
  const { parent } = node
  if (parent !== undefined) parent.children.splice(parent.children.indexOf(node), 1)
}

export function copyOf(element: OfficeElement, parent: OfficeElement | undefined): OfficeElement {
  const copy: OfficeElement = { ...element, attributes: { ...element.attributes }, children: [], parent }
  for (const child of element.children) {
    copy.children.push(child.kind === 'element' ? copyOf(child, copy) : { ...child, parent: copy })
  }
  return copy
}

/** The part as texts and marks in turns. Attributes that must be there once are left out where a list may repeat them. */
export function templateParts(
  root: OfficeElement,
  without: ReadonlySet<string>,
  wrong: (place: MarkPlace, what: string) => Error,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let text = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const write = (node: OfficeNode) => {
    if (node.kind === 'text') text += escapeXmlText(node.text)
    else if (node.kind === 'mark') {
      parts.push({ kind: 'text', text }, { kind: 'mark', mark: node.mark, wrong: (what) => wrong(node.place, what) })
      text = ''
    } else {
      text += `<${node.name}${attributesOf(node, without)}`
      text += node.children.length === 0 ? '/>' : '>'
      for (const child of node.children) write(child)
      if (node.children.length > 0) text += `</${node.name}>`
    }
  }
  write(root)
  return [...parts, { kind: 'text', text }]
}

function attributesOf({ attributes }: OfficeElement, without: ReadonlySet<string>): string {
  return Object.entries(attributes)
    .filter(([name]) => !without.has(name))
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('')
}

const noNames: ReadonlySet<string> = new Set()

/** The part as it stands, where no template is in it. */
export function formatTree(root: OfficeElement): string {
  return templateParts(root, noNames, (_, what) => new Error(what))
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('')
}
