/** A piece of a line, and whether only this side has it. */
export interface Piece {
  readonly text: string
  readonly isOwn: boolean
}

/** Two lines beside each other; a side that has none is undefined. */
export interface LinePair {
  readonly kind: 'same' | 'changed' | 'removed' | 'added'
  readonly before?: readonly Piece[]
  readonly after?: readonly Piece[]
}

/** Texts that differ in more than this are told as removed and added: who compares them sees nothing in the details. */
const mostEdits = 800

/** How two texts differ, line by line, and word by word in lines that were changed. */
export function textDifferences(before: string, after: string): readonly LinePair[] {
  const steps = stepsBetween(linesOf(before), linesOf(after))
  const pairs: LinePair[] = []
  for (let index = 0; index < steps.length; ) {
    const step = steps[index]
    if (step?.kind === 'same') {
      const line = [{ text: step.text, isOwn: false }]
      pairs.push({ kind: 'same', before: line, after: line })
      index += 1
      continue
    }
    const end = endOfChange(steps, index)
    pairs.push(...pairsOf(steps.slice(index, end)))
    index = end
  }
  return pairs
}

type Step = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function endOfChange(steps: readonly Step[], start: number): number {
  const next = steps.findIndex(({ kind }, index) => index > start && kind === 'same')
  return next === -1 ? steps.length : next
}

/** The first line that went beside the first that came, and so on. */
function pairsOf(steps: readonly Step[]): readonly LinePair[] {
  const removed = steps.filter(({ kind }) => kind === 'removed').map(({ text }) => text)
  const added = steps.filter(({ kind }) => kind === 'added').map(({ text }) => text)
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index): LinePair => {
    const [before, after] = [removed[index], added[index]]
    if (before !== undefined && after !== undefined) return { kind: 'changed', ...wordDifferences(before, after) }
    if (before !== undefined) return { kind: 'removed', before: [{ text: before, isOwn: true }] }
    return { kind: 'added', after: [{ text: after ?? '', isOwn: true }] }
  })
}

function wordDifferences(before: string, after: string): { readonly before: readonly Piece[]; readonly after: readonly Piece[] } {
  const steps = stepsBetween(wordsOf(before), wordsOf(after))
  return { before: piecesOf(steps, 'removed'), after: piecesOf(steps, 'added') }
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? []

/** Neighbours that are alike become one piece. */
function piecesOf(steps: readonly Step[], own: 'removed' | 'added'): readonly Piece[] {
  const pieces: { text: string; isOwn: boolean }[] = []
  for (const { kind, text } of steps) {
    if (kind !== 'same' && kind !== own) continue
    const last = pieces.at(-1)
    if (last?.isOwn === (kind === own)) last.text += text
    else pieces.push({ text, isOwn: kind === own })
  }
  return pieces
}

/** The fewest steps from one list to the other. Both ends that are alike are passed over first: most of a text is. */
function stepsBetween(before: readonly string[], after: readonly string[]): readonly Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1
  const same = (texts: readonly string[]) => texts.map((text): Step => ({ kind: 'same', text }))
  return [
    ...same(before.slice(0, start)),
    ...fewestSteps(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

/** By E. Myers, "An O(ND) difference algorithm and its variations" (1986): the furthest point on each diagonal, edit by edit. */
function fewestSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  const most = Math.min(before.length + after.length, mostEdits)
  // By diagonal, the first of which is -most - 1.
  const furthest = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const place = diagonal + most + 1
      let x = comesFromAbove(furthest, place, diagonal, edits) ? at(furthest, place + 1) : at(furthest, place - 1) + 1
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1
      furthest[place] = x
      if (x >= before.length && x - diagonal >= after.length) return walkBack(trace, most, before, after)
    }
  }
  return [...before.map((text): Step => ({ kind: 'removed', text })), ...after.map((text): Step => ({ kind: 'added', text }))]
}

const at = (furthest: Int32Array, place: number) => furthest[place] ?? 0

function comesFromAbove(furthest: Int32Array, place: number, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(furthest, place - 1) < at(furthest, place + 1))
}

function walkBack(
  trace: readonly Int32Array[],
  most: number,
  before: readonly string[],
  after: readonly string[],
): readonly Step[] {
  const steps: Step[] = []
  let x = before.length
  let y = after.length
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] ?? new Int32Array()
    const diagonal = x - y
    const place = diagonal + most + 1
    const previous = comesFromAbove(furthest, place, diagonal, edits) ? diagonal + 1 : diagonal - 1
    const fromX = edits === 0 ? 0 : at(furthest, previous + most + 1)
    const fromY = edits === 0 ? 0 : fromX - previous
    while (x > fromX && y > fromY) {
      steps.push({ kind: 'same', text: before[x - 1] ?? '' })
      x -= 1
      y -= 1
    }
    if (edits === 0) break
    if (x === fromX) steps.push({ kind: 'added', text: after[y - 1] ?? '' })
    else steps.push({ kind: 'removed', text: before[x - 1] ?? '' })
    x = fromX
    y = fromY
  }
  return steps.reverse()
}
