import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Puzzle } from 'lucide-react'
import { usePieces, usePieceTexts } from '../features/pieces/use-pieces.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { placesBelow, usePlaces } from './places.ts'
import styles from './shell.module.css'
import { useAppWords } from './words.ts'

/** On a narrow screen: what has no place below. */
export function FurtherPlaces() {
  const say = useAppWords()
  const navigate = useNavigate()
  const places = usePlaces()
  const { pages } = usePieces()
  const textOf = usePieceTexts()
  return (
    <li className={styles.further}>
      <Menu
        trigger={
          <Button look="quiet">
            <Ellipsis size={18} aria-hidden />
            {say('more')}
          </Button>
        }
      >
        {places.slice(placesBelow).map(({ to, word, icon: Icon }) => (
          <MenuItem key={to} textValue={say(word)} onAction={() => void navigate({ to, params: { _splat: '' } })}>
            <Icon size={18} aria-hidden />
            {say(word)}
          </MenuItem>
        ))}
        {pages.map(({ plugin, name, label }) => (
          <MenuItem
            key={`${plugin}/${name}`}
            textValue={textOf(label)}
            onAction={() => void navigate({ to: '/plugins/$plugin/$page/$', params: { plugin, page: name, _splat: '' } })}
          >
            <Puzzle size={18} aria-hidden />
            {textOf(label)}
          </MenuItem>
        ))}
      </Menu>
    </li>
  )
}
