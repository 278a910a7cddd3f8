import type { KeyboardEvent } from 'react'

/** Moves the focus between the links of a list with arrows, `Home` and `End`; each is still reached with `Tab`, too. */
export function moveInLinks(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href]')]
  const current = links.indexOf(document.activeElement as HTMLElement)
  const moves: { readonly [key: string]: number } = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: links.length - 1,
  }
  const next = moves[event.key]
  if (next === undefined || current === -1) return
  event.preventDefault()
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus()
}
