import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'

export interface CursorOptions<Row> {
  readonly count: number
  /** How many stand beside each other. */
  readonly perLine: number
  /** Undefined while it is on its way. */
  rowAt(index: number): Row | undefined
  keyOf(row: Row): string
  readonly selected: ReadonlySet<string>
  onSelect(keys: ReadonlySet<string>): void
  onOpen(row: Row): void
  /** Other keys, with the row that is current. */
  onKey?(key: string, row: Row | undefined): void
  /** Where the first row is whose name begins so, or comes after it. */
  findTyped?(text: string): Promise<number | undefined>
  linesInView(): number
  reveal(index: number): void
}

export interface Cursor {
  readonly current: number
  pressed(event: KeyboardEvent): void
  clicked(index: number, event: MouseEvent): void
}

const typingMilliseconds = 900

/** One of many is current and has the keys; which are selected is the caller's to keep, as selections outlive pages. */
export function useCursor<Row>(options: CursorOptions<Row>): Cursor {
  const { count, perLine, rowAt, keyOf, selected, onSelect, onOpen } = options
  const [at, setCurrent] = useState(0)
  const current = Math.min(at, Math.max(0, count - 1))
  const anchor = useRef(0)
  const typed = useRef({ text: '', until: 0 })

  const go = (index: number, extend: boolean) => {
    const next = Math.max(0, Math.min(count - 1, index))
    setCurrent(next)
    options.reveal(next)
    if (extend) selectRange(next)
    else anchor.current = next
  }

  const selectRange = (to: number) => {
    const [from, until] = [Math.min(anchor.current, to), Math.max(anchor.current, to)]
    const keys = new Set<string>()
    for (let index = from; index <= until; index += 1) {
      const row = rowAt(index)
      if (row !== undefined) keys.add(keyOf(row))
    }
    onSelect(keys)
  }

  const toggle = (index: number) => {
    const row = rowAt(index)
    if (row === undefined) return
    onSelect(selected.symmetricDifference(new Set([keyOf(row)])))
    anchor.current = index
    setCurrent(index)
  }

  const moves: { readonly [key: string]: () => number } = {
    ArrowDown: () => (current + perLine < count ? current + perLine : current),
    ArrowUp: () => (current - perLine >= 0 ? current - perLine : current),
    ...(perLine > 1 && { ArrowRight: () => current + 1, ArrowLeft: () => current - 1 }),
    PageDown: () => current + perLine * options.linesInView(),
    PageUp: () => current - perLine * options.linesInView(),
    Home: () => 0,
    End: () => count - 1,
  }

  const type = (key: string) => {
    const now = performance.now()
    const text = typed.current.until > now ? typed.current.text + key : key
    typed.current = { text, until: now + typingMilliseconds }
    void options.findTyped?.(text).then((index) => {
      if (index !== undefined && typed.current.text === text) go(index, false)
    })
  }

  /** A blank selects and `p` previews, unless they stand among what is typed. */
  const continuesTyping = (key: string) => {
    const isBegun = typed.current.until > performance.now()
    return isTyped(key) ? isBegun || key.toLowerCase() !== 'p' : key === ' ' && isBegun
  }

  const pressed = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const { key } = event
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const row = rowAt(current)
    const move = moves[key]
    if (move !== undefined && isPlain) go(move(), event.shiftKey)
    else if (key === 'Enter' && row !== undefined) onOpen(row)
    else if (isPlain && continuesTyping(key)) type(key)
    else if (key === ' ') toggle(current)
    else if (key === 'a' && (event.ctrlKey || event.metaKey)) {
      anchor.current = 0
      selectRange(count - 1)
    } else if (isTaking(event)) options.onKey?.(`Mod+${key.toUpperCase()}`, row)
    else if (key === 'Escape' && selected.size > 0) onSelect(new Set())
    else {
      if (isPlain) options.onKey?.(key, row)
      return
    }
    event.preventDefault()
    // What the list has taken is no command of the page.
    event.stopPropagation()
  }

  const clicked = (index: number, event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey) toggle(index)
    else go(index, event.shiftKey)
  }

  return { current, pressed, clicked }
}

/** A letter or digit; `/` and `?` are commands of the page. */
const isTyped = (key: string) => key.length === 1 && /[\p{L}\p{N}]/u.test(key)

/** Copies or cuts, unless a text is selected that is meant. */
function isTaking({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && (key === 'c' || key === 'x') && (getSelection()?.isCollapsed ?? true)
}
