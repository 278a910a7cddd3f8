import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { suggestedQuery } from '../../api/search.ts'
import { titleOf } from '../../api/types.ts'
import { type Command, keyNames, listCommands } from '../../ui/commands.ts'
import { type Pick, Picker } from '../../ui/picker.tsx'
import { iconOf } from '../documents/document-icon.tsx'
import { placeOf } from '../documents/place-of.ts'
import { matching } from './matching.ts'
import { useCommandWords } from './words.ts'

interface Choice extends Pick {
  run(): void
}

export interface CommandPaletteProps {
  /** Gives what was typed before it was there. */
  takeTyped(): string
  onClose(): void
}

/** Everything by its name: what can be done here, and documents to go to. */
export function CommandPalette({ takeTyped, onClose }: CommandPaletteProps) {
  const say = useCommandWords()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useEffect(() => setText((after) => takeTyped() + after), [takeTyped])
  const [commands] = useState(() => listCommands().filter(({ label }) => label !== ''))
  const words = text.trim()
  const { data } = useQuery({ ...suggestedQuery(words), enabled: words !== '', placeholderData: keepPreviousData })
  const documents: readonly Choice[] = (words === '' ? [] : (data?.entries ?? [])).map((document) => ({
    id: document.uid,
    label: titleOf(document),
    hint: placeOf(document),
    icon: iconOf(document),
    run: () => void navigate({ to: '/browse/$', params: { _splat: (document.path ?? '').slice(1) } }),
  }))
  const search: Choice = {
    id: 'search-for',
    label: say('searchFor', { text: words }),
    icon: Search,
    run: () => void navigate({ to: '/search', search: { words } }),
  }
  return (
    <Picker
      label={say('palette')}
      placeholder={say('placeholder')}
      nothing={say('nothing')}
      text={text}
      onText={setText}
      groups={[
        { heading: say('documents'), items: documents },
        { heading: say('commands'), items: [...matching(commands.map(choiceOf), text), ...(words === '' ? [] : [search])] },
      ]}
      onPick={(choice) => {
        onClose()
        // After the dialog has given the focus back, so that what is opened next can take it.
        setTimeout(choice.run)
      }}
      onClose={onClose}
    />
  )
}

function choiceOf({ id, label, icon, keys, run }: Command): Choice {
  return { id, label, run, ...(icon && { icon }), ...(keys !== undefined && { keys: keyNames(keys) }) }
}
