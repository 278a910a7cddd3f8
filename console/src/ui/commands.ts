import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** Something that can be done from where one is, by its name or its keys. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  /** As `Mod+K`, `/` or `F2`, where `Mod` is ⌘ on a Mac. */
  readonly keys?: string
  run(): void
}

/** What the screens that are shown offer now. */
const offered = new Set<() => readonly Command[]>()

/** Offers commands for as long as the component is shown. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const list = () => latest.current
    offered.add(list)
    return () => void offered.delete(list)
  }, [])
}

/** Those of what was shown last come first: they are about what one looks at. */
export function listCommands(): readonly Command[] {
  return [...offered].reverse().flatMap((list) => list())
}

/** Runs commands by their keys, wherever the focus is but in a field. */
export function useCommandKeys(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const command = listCommands().find(({ keys }) => keys !== undefined && isPressed(keys, event))
      if (command === undefined || (isTyping(event.target) && !(event.ctrlKey || event.metaKey))) return
      // What somebody types is undone where they type it.
      if (isTyping(event.target) && command.keys === 'Mod+Z') return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

export function isPressed(keys: string, event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  const [key = '', modifier] = keys.split('+').reverse()
  const hasModifier = event.ctrlKey || event.metaKey
  return event.key.toLowerCase() === key.toLowerCase() && hasModifier === (modifier === 'Mod') && !event.altKey
}

/** As the keyboard in front of somebody has it. */
export function keyNames(keys: string, platform = navigator.platform): readonly string[] {
  return keys.split('+').map((key) => (key === 'Mod' ? (/mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl') : key))
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}
