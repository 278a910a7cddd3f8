import { Command as CommandIcon, Keyboard } from 'lucide-react'
import { Suspense, useCallback, useRef, useState } from 'react'
import { useCommandKeys, useCommands } from '../../ui/commands.ts'
import { undoLast } from '../../ui/toasts.tsx'
import { later } from '../problems/later.tsx'
import { useCommandWords } from './words.ts'

const CommandPalette = later(async () => (await import('./command-palette.tsx')).CommandPalette, { isOver: true })
const KeyHelp = later(async () => (await import('./key-help.tsx')).KeyHelp, { isOver: true })

/** Hears all keys, and shows commands and keys when they are asked for. */
export function Commands() {
  const say = useCommandWords()
  const [shown, setShown] = useState<'palette' | 'help'>()
  const early = useRef<EarlyKeys>(undefined)
  const openPalette = () => {
    early.current ??= catchKeys()
    setShown('palette')
  }
  const takeTyped = useCallback(() => {
    const typed = early.current?.end() ?? ''
    early.current = undefined
    return typed
  }, [])
  useCommands([
    { id: 'palette', label: '', icon: CommandIcon, keys: 'Mod+K', run: openPalette },
    { id: 'help', label: say('help'), icon: Keyboard, keys: '?', run: () => setShown('help') },
    // Not offered by name: the message of what was done offers it.
    { id: 'undo', label: '', keys: 'Mod+Z', run: undoLast },
  ])
  useCommandKeys()
  const close = () => {
    // Had it not come, nothing else would be heard any more.
    takeTyped()
    setShown(undefined)
  }
  return (
    <Suspense>
      {shown === 'palette' ? <CommandPalette takeTyped={takeTyped} onClose={close} /> : null}
      {shown === 'help' ? <KeyHelp onClose={close} /> : null}
    </Suspense>
  )
}

interface EarlyKeys {
  /** Gives what was typed. */
  end(): string
}

/** What is typed before the field is there is meant for the field, not for the page behind it. */
function catchKeys(): EarlyKeys {
  let typed = ''
  const pressed = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) typed += event.key
  }
  addEventListener('keydown', pressed, { capture: true })
  return {
    end() {
      removeEventListener('keydown', pressed, { capture: true })
      return typed
    },
  }
}
