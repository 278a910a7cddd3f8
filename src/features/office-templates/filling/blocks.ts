import type { OfficeFamily } from './office-family.ts'
import { wrongOfficeTemplate } from './problems.ts'
import {
  copyOf,
  detach,
  insertBeside,
  marksBelow,
  type OfficeElement,
  type OfficeMark,
  type OfficeNode,
  upwards,
} from './xml-tree.ts'

/** The marks of a list or a condition: its beginning, what stands between its branches, and its end. */
type Block = readonly OfficeMark[]

/** The marks of a part by their places in the text. */
type Order = ReadonlyMap<OfficeNode, number>

/**
 * Moves the marks of lists and conditions to where whole elements stand between them, so that whatever is repeated or left out, the result is
 * well-formed. Marks in different cells of a table take whole rows, those in different paragraphs what is between these; a paragraph
 * or a row with nothing else in it goes.
 * @throws wrongOfficeTemplate
 */
export async function placeBlocks(
  root: OfficeElement,
  family: OfficeFamily,
  rest: () => Promise<void> | undefined,
): Promise<void> {
  const marks = marksBelow(root)
  const order: Order = new Map(marks.map((mark, index) => [mark, index]))
  for (const block of blocksOf(marks)) {
    placeBlock(block, order, family)
    // In a long text each of them takes a while.
    const waited = rest()
    if (waited !== undefined) await waited
  }
  for (const element of holders(root)) keepParagraphAtEnd(element, family)
}

/** Inner ones come before those around them. */
function blocksOf(marks: readonly OfficeMark[]): readonly Block[] {
  const blocks: Block[] = []
  const open: OfficeMark[][] = []
  for (const mark of marks) {
    const { kind } = mark.mark
    if (kind === 'list' || kind === 'if') open.push([mark])
    else if (kind === 'else' || kind === 'elseif') last(open, mark).push(mark)
    else if (kind === 'end') {
      blocks.push([...last(open, mark), mark])
      open.pop()
    } else if (kind === 'remark') detach(mark)
  }
  const [unended] = open.at(-1) ?? []
  if (unended !== undefined) throw wrong(unended, 'this has no end')
  return blocks
}

function last(open: readonly OfficeMark[][], mark: OfficeMark): OfficeMark[] {
  const block = open.at(-1)
  if (block === undefined) throw wrong(mark, 'this belongs to nothing that was begun')
  return block
}

function wrong({ place }: OfficeMark, what: string): Error {
  return wrongOfficeTemplate({ ...place, what })
}

function placeBlock(block: Block, order: Order, family: OfficeFamily): void {
  const common = commonElement(block)
  const isRow = ({ name }: OfficeElement) => family.rows.has(name)
  if (isRow(common) || block.some((mark) => pathTo(mark, common).some(isRow))) placeAroundRows(block, common, order, family)
  else for (const mark of block) lift(mark, common, family)
}

/** The innermost element that all of them are in. */
function commonElement(block: Block): OfficeElement {
  const [first, ...others] = block
  let common = new Set(upwards(first?.parent))
  for (const mark of others) {
    const above = new Set(upwards(mark.parent))
    common = new Set([...common].filter((element) => above.has(element)))
  }
  const [innermost] = common
  if (innermost === undefined) throw new Error('Marks of one part have nothing in common.')
  return innermost
}

/** What the mark stands in, up to but without the element. */
function pathTo(mark: OfficeMark, common: OfficeElement): readonly OfficeElement[] {
  const path: OfficeElement[] = []
  for (const element of upwards(mark.parent)) {
    if (element === common) break
    path.push(element)
  }
  return path
}

function placeAroundRows(block: Block, common: OfficeElement, order: Order, family: OfficeFamily): void {
  const isOneRow = family.rows.has(common.name)
  const rows = new Set<OfficeElement>()
  for (const mark of block) {
    const row = isOneRow ? common : pathTo(mark, common).at(-1)
    const { kind } = mark.mark
    if (row === undefined || !family.rows.has(row.name)) throw wrong(mark, 'it begins in a table and ends outside of it')
    if (isOneRow && (kind === 'else' || kind === 'elseif')) throw wrong(mark, 'what else is shown needs a row of its own')
    rows.add(row)
    detach(mark)
    if (kind === 'end') insertAfter(row, mark, order)
    else insertBefore(row, mark, order)
  }
  for (const row of rows) if (isVoid(row, family)) detach(row)
}

/** Before the row, and before the marks of what is inside of its own list or condition. */
function insertBefore(row: OfficeElement, mark: OfficeMark, order: Order): void {
  const siblings = row.parent?.children ?? []
  let anchor: OfficeNode = row
  for (let at = siblings.indexOf(row) - 1; isLater(siblings[at], mark, order); at -= 1) anchor = siblings[at] ?? anchor
  insertBeside(anchor, 'before', mark)
}

function insertAfter(row: OfficeElement, mark: OfficeMark, order: Order): void {
  const siblings = row.parent?.children ?? []
  let anchor: OfficeNode = row
  for (let at = siblings.indexOf(row) + 1; isLater(mark, siblings[at], order); at += 1) anchor = siblings[at] ?? anchor
  insertBeside(anchor, 'after', mark)
}

function isLater(node: OfficeNode | undefined, other: OfficeNode | undefined, order: Order): boolean {
  const [place, otherPlace] = [node && order.get(node), other && order.get(other)]
  return place !== undefined && otherPlace !== undefined && place > otherPlace
}

/** Ends and begins anew whatever the mark stands in, up to the element. */
function lift(mark: OfficeMark, common: OfficeElement, family: OfficeFamily): void {
  while (mark.parent !== common) {
    const { parent } = mark
    if (!family.divisible.has(parent.name)) throw wrong(mark, `it begins or ends inside of ${parent.name} alone`)
    divideAt(mark, parent, family)
  }
}

function divideAt(mark: OfficeMark, element: OfficeElement, family: OfficeFamily): void {
  const behind = element.children.splice(element.children.indexOf(mark)).slice(1)
  const second: OfficeElement = { ...element, attributes: { ...element.attributes }, children: [] }
  for (const id of family.ids) delete second.attributes[id]
  for (const look of looksOf(element, family)) {
    second.children.push(copyOf(look, second))
    const ending = look.children.find((child) => child.kind === 'element' && child.name === family.ending)
    if (ending !== undefined) detach(ending)
  }
  for (const child of behind) child.parent = second
  second.children.push(...behind)
  insertBeside(element, 'after', mark)
  insertBeside(mark, 'after', second)
  for (const half of [element, second]) if (isVoid(half, family)) detach(half)
}

function looksOf({ children }: OfficeElement, { looks }: OfficeFamily): readonly OfficeElement[] {
  return children.filter((child) => child.kind === 'element').filter(({ name }) => looks.has(name))
}

/** Whether nobody would miss it: nothing in it can be seen or decides about anything. In a paragraph of its own a blank is nothing. */
function isVoid(node: OfficeNode, family: OfficeFamily, ignoresBlanks = false): boolean {
  if (node.kind === 'mark') return false
  if (node.kind === 'text') return (ignoresBlanks ? node.text.trim() : node.text) === ''
  const { name, children } = node
  if (family.silent.has(name)) return true
  if (family.looks.has(name)) return !children.some((child) => child.kind === 'element' && child.name === family.ending)
  const holds = [family.divisible, family.rows, family.cells].some((names) => names.has(name))
  const ignoresAll = ignoresBlanks || family.paragraphs.has(name) || family.rows.has(name)
  return holds && children.every((child) => isVoid(child, family, ignoresAll))
}

function holders(root: OfficeElement): ReadonlySet<OfficeElement> {
  return new Set(marksBelow(root).map(({ parent }) => parent))
}

/** A cell whose paragraphs are all left out needs one all the same. */
function keepParagraphAtEnd(element: OfficeElement, { endsWithParagraph, paragraphs }: OfficeFamily): void {
  if (!endsWithParagraph.has(element.name)) return
  const last = element.children.at(-1)
  if (last?.kind === 'element' && paragraphs.has(last.name)) return
  element.children.push({ kind: 'element', name: 'w:p', attributes: {}, children: [], parent: element })
}
