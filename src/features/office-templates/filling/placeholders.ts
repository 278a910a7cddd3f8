import { type FoundMark, marksIn, type TemplateMark } from '../../rendering/index.ts'
import type { OfficeFamily } from './office-family.ts'
import { templateTooLarge, wrongOfficeTemplate } from './problems.ts'
import {
  detach,
  elementsNamed,
  insertBeside,
  marksBelow,
  type OfficeElement,
  type OfficeMark,
  type OfficeText,
  upwards,
} from './xml-tree.ts'

/** What is left for all parts of a template together. */
export interface MarkBudget {
  marks: number
  blockMarks: number
}

/**
 * Puts a mark wherever a placeholder or a tag of the template stands in the text. Office programs divide a text as they like, at every change of
 * language or spelling, so a paragraph is read as a whole; what stood between the pieces of a placeholder stays behind it.
 * @throws wrongOfficeTemplate, expressionWrong, templateTooLarge
 */
export function markPlaceholders(root: OfficeElement, family: OfficeFamily, part: string, budget: MarkBudget): void {
  for (const paragraph of elementsNamed(root, family.paragraphs)) markParagraph(paragraph, family, part, budget)
}

/** A piece of the text of a paragraph: characters, or an element that stands for one. */
interface Piece {
  readonly node: OfficeText | OfficeElement
  readonly text: string
  readonly start: number
}

function markParagraph(paragraph: OfficeElement, family: OfficeFamily, part: string, budget: MarkBudget): void {
  const pieces = piecesOf(paragraph, family)
  const text = straightened(pieces.map((piece) => piece.text).join(''))
  if (!/\$\{|[<[]\/?#/.test(text)) return
  const placeAt = (at: number) => ({ part, near: text.slice(at, at + 60) })
  const found: FoundMark[] = []
  for (const mark of marksIn(text, 'office', (at, what) => wrongOfficeTemplate({ ...placeAt(at), what }))) {
    draw(budget, mark.mark)
    found.push(mark)
  }
  // From the end: what was not reached yet is where it was.
  let last = pieces.length - 1
  for (const mark of found.toReversed()) {
    while (last > 0 && (pieces[last]?.start ?? 0) > mark.start) last -= 1
    putMark(pieces, last, mark, placeAt(mark.start))
  }
}

function draw(budget: MarkBudget, { kind }: TemplateMark): void {
  budget.marks -= 1
  if (kind !== 'value' && kind !== 'remark') budget.blockMarks -= 1
  if (budget.marks < 0 || budget.blockMarks < 0) throw templateTooLarge({ what: 'marks' })
}

/** The text of a paragraph, without that of paragraphs inside of it, such as those of a text box. */
function piecesOf(paragraph: OfficeElement, { paragraphs, texts, characters }: OfficeFamily): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  const add = (node: Piece['node'], text: string) => {
    pieces.push({ node, text, start })
    start += text.length
  }
  const look = (element: OfficeElement) => {
    for (const child of element.children) {
      if (child.kind === 'mark') continue
      if (child.kind === 'text') {
        if (texts.has(element.name)) add(child, child.text)
      } else if (Object.hasOwn(characters, child.name)) add(child, characters[child.name] ?? '')
      else if (!paragraphs.has(child.name)) look(child)
    }
  }
  look(paragraph)
  return pieces
}

/** Office programs make quotation marks pretty and blanks hard, which mean nothing in an expression. Nothing changes its place. */
function straightened(text: string): string {
  return text
    .replace(/[“”„‟]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replaceAll('\u00A0', ' ')
}

function putMark(pieces: readonly Piece[], first: number, { mark, start, end }: FoundMark, place: OfficeMark['place']): void {
  for (let index = first; index < pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece === undefined || piece.start >= end) return
    const { node } = piece
    if (node.kind === 'element') detach(node)
    else if (index === first)
      divide(node, start - piece.start, end - piece.start, { kind: 'mark', mark, place, parent: node.parent })
    else {
      node.text = node.text.slice(end - piece.start)
      keepBlanks(node)
    }
  }
}

/** The text up to the mark, the mark, and the text behind it. */
function divide(node: OfficeText, from: number, to: number, mark: OfficeMark): void {
  const rest = node.text.slice(to)
  node.text = node.text.slice(0, from)
  insertBeside(node, 'after', mark)
  if (rest !== '') insertBeside(mark, 'after', { kind: 'text', text: rest, parent: node.parent })
  keepBlanks(node)
}

/** Those at the ends of what is now divided are part of it. */
function keepBlanks({ parent }: OfficeText): void {
  if (parent.name === 'w:t') parent.attributes['xml:space'] = 'preserve'
}

/**
 * Puts a list around each row, or where there is none around each paragraph, in which a placeholder names one of the parameters that are to be
 * looped over. Inside of it the name means an item.
 */
export function loopAround(root: OfficeElement, family: OfficeFamily, parameters: ReadonlySet<string>, budget: MarkBudget): void {
  if (parameters.size === 0) return
  const looped = new Map<OfficeElement, Set<string>>()
  const inLists: string[] = []
  for (const mark of marksBelow(root)) {
    if (mark.mark.kind === 'list') inLists.push(mark.mark.item)
    else if (mark.mark.kind === 'end' && mark.mark.of !== 'branch') inLists.pop()
    const name = nameIn(mark.mark)
    if (name === undefined || !parameters.has(name) || inLists.includes(name)) continue
    const around = [...upwards(mark.parent)]
    const repeated = around.find((one) => family.rows.has(one.name)) ?? around.find((one) => family.repeated.has(one.name))
    if (repeated === undefined || looped.get(repeated)?.has(name)) continue
    looped.set(repeated, (looped.get(repeated) ?? new Set()).add(name))
    surround(repeated, name, mark, budget)
  }
}

/** What the placeholder begins with. */
function nameIn(mark: TemplateMark): string | undefined {
  return mark.kind === 'value' ? /^[A-Za-z_]\w*/.exec(mark.expression)?.[0] : undefined
}

function surround(element: OfficeElement, name: string, { place, parent }: OfficeMark, budget: MarkBudget): void {
  const begin: TemplateMark = { kind: 'list', expression: name, item: name }
  const end: TemplateMark = { kind: 'end', of: 'list' }
  draw(budget, begin)
  draw(budget, end)
  insertBeside(element, 'before', { kind: 'mark', mark: begin, place, parent })
  insertBeside(element, 'after', { kind: 'mark', mark: end, place, parent })
}
